package pvesim

import (
	"strconv"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/lxc/{vmid}/rrddata":  rrdData,
		"GET /nodes/{node}/qemu/{vmid}/rrddata": rrdData,
	})
}

// rrdData has no figures: nothing is measured here.
func rrdData(c *call) (any, error) {
	if c.s.find(c.int("vmid")) == nil {
		return nil, die("RRD error: opening '/var/lib/rrdcached/db/pve-vm-9.0/%s': No such file or directory", strconv.Itoa(c.int("vmid")))
	}
	return []object{}, nil
}
