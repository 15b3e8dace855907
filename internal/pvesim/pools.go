package pvesim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{
		"GET /pools":             poolIndex,
		"POST /pools":            poolCreate,
		"PUT /pools":             poolUpdate,
		"DELETE /pools":          poolDelete,
		"GET /pools/{poolid}":    poolRead,
		"PUT /pools/{poolid}":    poolUpdate,
		"DELETE /pools/{poolid}": poolDelete,
	})
}

func poolIndex(c *call) (any, error) {
	users := c.s.users()
	if c.has("poolid") {
		p := users.Pools[c.str("poolid")]
		if p == nil {
			return nil, die("pool '%s' does not exist", c.str("poolid"))
		}
		if err := c.need("/pool/"+p.ID, "Pool.Audit"); err != nil {
			return nil, err
		}
		row := poolRow(p)
		row["members"] = c.poolMembers(p)
		return []object{row}, nil
	}
	out := []object{}
	for _, id := range sortedKeys(users.Pools) {
		if c.may("/pool/"+id, "Pool.Audit") {
			out = append(out, poolRow(users.Pools[id]))
		}
	}
	return out, nil
}

func poolRow(p *conf.Pool) object {
	row := object{"poolid": p.ID}
	if p.Comment != "" {
		row["comment"] = p.Comment
	}
	return row
}

func poolRead(c *call) (any, error) {
	p := c.s.users().Pools[c.str("poolid")]
	if p == nil {
		return nil, die("pool '%s' does not exist", c.str("poolid"))
	}
	row := poolRow(p)
	row["members"] = c.poolMembers(p)
	return row, nil
}

// poolMembers are the guests and storages of a pool that exist.
// Source: PVE::API2::Pool read_pool.
func (c *call) poolMembers(p *conf.Pool) []object {
	out := []object{}
	want := func(kind string) bool { return !c.has("type") || c.str("type") == kind }
	for _, g := range c.s.guests() {
		if slices.Contains(p.VMs, strconv.Itoa(g.vmid)) && want(apiName(g.kind)) {
			row := c.s.guestRow(g)
			delete(row, "pool")
			out = append(out, row)
		}
	}
	for _, row := range c.storageRows() {
		if id, _ := row["storage"].(string); slices.Contains(p.Storages, id) && want("storage") {
			out = append(out, row)
		}
	}
	return out
}

func poolCreate(c *call) (any, error) {
	users, id := c.s.users(), c.str("poolid")
	if users.Pools[id] != nil {
		return nil, die("create pool failed: pool '%s' already exists", id)
	}
	if i := strings.LastIndexByte(id, '/'); i >= 0 && users.Pools[id[:i]] == nil {
		return nil, die("create pool failed: parent '%s' of pool '%s' does not exist", id[:i], id)
	}
	users.Pools[id] = &conf.Pool{ID: id, Comment: c.str("comment")}
	c.s.setUsers(users)
	return nil, nil
}

// poolUpdate changes the comment, or adds and removes members.
// Source: PVE::API2::Pool update_pool.
func poolUpdate(c *call) (any, error) {
	users := c.s.users()
	p := users.Pools[c.str("poolid")]
	if p == nil {
		return nil, die("update pools failed: pool '%s' does not exist", c.str("poolid"))
	}
	if c.has("comment") {
		p.Comment = c.str("comment")
	}
	for _, vmid := range splitList(c.str("vms")) {
		if err := c.poolGuest(users, p, vmid); err != nil {
			return nil, err
		}
	}
	for _, id := range splitList(c.str("storage")) {
		if err := c.need("/storage/"+id, "Datastore.Allocate"); err != nil {
			return nil, err
		}
		member := slices.Contains(p.Storages, id)
		switch {
		case c.flag("delete") && !member:
			return nil, die("update pools failed: Storage '%s' is not a pool member", id)
		case c.flag("delete"):
			p.Storages = slices.DeleteFunc(p.Storages, func(s string) bool { return s == id })
		case member:
			return nil, die("update pools failed: Storage '%s' is already a pool member", id)
		default:
			p.Storages = append(p.Storages, id)
		}
	}
	c.s.setUsers(users)
	return nil, nil
}

func (c *call) poolGuest(users *conf.Users, p *conf.Pool, vmid string) error {
	if err := c.needAny("/vms/"+vmid, "VM.Allocate", "Permissions.Modify"); err != nil {
		return err
	}
	without := func(p *conf.Pool) {
		p.VMs = slices.DeleteFunc(p.VMs, func(s string) bool { return s == vmid })
	}
	member := slices.Contains(p.VMs, vmid)
	if c.flag("delete") {
		if !member {
			return die("update pools failed: VM %s is not a pool member", vmid)
		}
		without(p)
		return nil
	}
	if member {
		return die("update pools failed: VM %s is already a pool member", vmid)
	}
	if other := poolOf(users, "/vms/"+vmid); other != "" {
		if !c.flag("allow-move") {
			return die("update pools failed: VM %s belongs already to pool '%s' and 'allow-move' is not set", vmid, other)
		}
		if err := c.need("/pool/"+other, "Pool.Allocate"); err != nil {
			return err
		}
		without(users.Pools[other])
	}
	p.VMs = append(p.VMs, vmid)
	return nil
}

func poolDelete(c *call) (any, error) {
	users, id := c.s.users(), c.str("poolid")
	p := users.Pools[id]
	if p == nil {
		return nil, die("delete pool failed: pool '%s' does not exist", id)
	}
	for _, other := range sortedKeys(users.Pools) {
		if strings.HasPrefix(other, id+"/") {
			return nil, die("delete pool failed: pool '%s' is not empty (contains pool '%s')", id, other)
		}
	}
	for _, vmid := range p.VMs {
		if n, err := strconv.Atoi(vmid); err == nil && c.s.find(n) != nil {
			return nil, die("delete pool failed: pool '%s' is not empty (contains VM %s)", id, vmid)
		}
	}
	for _, st := range p.Storages {
		if _, err := c.s.storage(st); err == nil {
			return nil, die("delete pool failed: pool '%s' is not empty (contains storage '%s')", id, st)
		}
	}
	delete(users.Pools, id)
	users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Path == "/pool/"+id })
	c.s.setUsers(users)
	return nil, nil
}
