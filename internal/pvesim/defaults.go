package pvesim

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// defaultFiles are the ready cluster that is there without a directory:
// storages local and local-lvm and two templates.
func defaultFiles() map[string]string {
	return map[string]string{
		"storage.cfg": "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import\n\n" +
			"lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n",
		"datacenter.cfg": "",
		haManagerFile:    "{}",
		"user.cfg":       "user:root@pam:1:0::::::\n",
		"volumes.txt": "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst  126515062\n" +
			"local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst  129710398\n",
	}
}

// loadTokens adds the tokens of the options and finds the token that Token
// returns; the ready cluster gets one with a random secret.
func (s *Server) loadTokens() {
	u := s.users()
	add := func(name, secret string) {
		u.Tokens[name] = &conf.Token{ID: name, Expire: "0", Privsep: "0"}
		user := identity{name}.user()
		if u.Users[user] == nil {
			u.Users[user] = &conf.User{ID: user, Enable: "1", Expire: "0"}
		}
		s.setUsers(u)
		s.setSecret(name, secret)
	}
	for name, secret := range s.opts.Tokens {
		add(name, secret)
	}
	secrets := s.secrets()
	for _, name := range sortedKeys(u.Tokens) {
		if strings.HasPrefix(name, "root@pam!") && u.Tokens[name].Privsep != "1" && secrets[name] != "" {
			s.token = name + "=" + secrets[name]
			return
		}
	}
	if len(s.opts.Files) == 0 {
		secret := uuid()
		add("root@pam!terraform", secret)
		s.token = "root@pam!terraform=" + secret
	}
}

// uuid makes a random UUID of version 4.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// randomMAC makes an address below the prefix of the cluster.
func (s *Server) randomMAC() string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	prefix := s.datacenter()["mac_prefix"]
	if prefix == "" {
		prefix = "BC:24:11"
	}
	return fmt.Sprintf("%s:%02X:%02X:%02X", strings.ToUpper(prefix), b[0], b[1], b[2])
}

// datacenter is datacenter.cfg.
func (s *Server) datacenter() map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(s.files["datacenter.cfg"], "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			out[key] = strings.TrimSpace(value)
		}
	}
	return out
}
