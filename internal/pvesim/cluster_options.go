package pvesim

import (
	"strings"
)

// clusterOptions reads datacenter.cfg. Source: PVE::API2::Cluster get_options.
func clusterOptions(c *call) (any, error) {
	full := c.may("/", "Sys.Audit")
	out := object{"allowed-tags": []string{}}
	cfg := c.s.datacenter()
	if full {
		out["mac_prefix"] = "BC:24:11"
		out["description"] = ""
	}
	props := c.s.table.Method("PUT", "/cluster/options").Props
	for key, text := range cfg {
		if !full && key != "console" && key != "tag-style" {
			continue
		}
		out[key] = c.optionValue(props[key].Format, key, text)
	}
	if tags := splitList(cfg["registered-tags"]); len(tags) > 0 {
		out["registered-tags"], out["allowed-tags"] = tags, tags
	}
	return out, nil
}

// optionValue shows a property string as an object.
func (c *call) optionValue(format, key, text string) any {
	if c.s.table.Format(format) == nil {
		return text
	}
	keys, err := c.s.table.Parse(format, text, key)
	if err != nil {
		return text
	}
	return keys
}

func setClusterOptions(c *call) (any, error) {
	cfg := c.s.datacenter()
	for _, key := range splitList(c.str("delete")) {
		delete(cfg, key)
	}
	for key, v := range c.params {
		if key != "delete" {
			cfg[key] = v.Text
		}
	}
	var b strings.Builder
	for _, key := range sortedKeys(cfg) {
		b.WriteString(key + ": " + cfg[key] + "\n")
	}
	c.s.write("datacenter.cfg", b.String())
	return nil, nil
}
