package schema

import (
	"errors"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // the zones must be known on every machine
)

var digits = regexp.MustCompile(`^\d+$`)

var startup = regexp.MustCompile(`^(order=)?\d+$`)

// illegalPath finds /./ and /../ in the path of a mount point.
var illegalPath = regexp.MustCompile(`(^|/)\.{1,2}(/|$)`)

// Source: PVE::LXC::Config, PVE::JSONSchema (startup).
func init() {
	register("pve-startup-order", func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			key, value, _ := strings.Cut(part, "=")
			timed := (key == "up" || key == "down") && digits.MatchString(value)
			if !timed && !startup.MatchString(part) {
				return errors.New("unable to parse startup options")
			}
		}
		return nil
	})
	register("pve-ct-timezone", func(s string) error {
		if s == "host" {
			return nil
		}
		if _, err := time.LoadLocation(s); err != nil || !strings.Contains(s, "/") && s != "UTC" {
			return errors.New("invalid time zone '" + s + "'")
		}
		return nil
	})
	register("pve-lxc-mp-string", func(s string) error {
		if illegalPath.MatchString(s) {
			return errors.New(s + " contains illegal character sequences")
		}
		return nil
	})
	register("pve-lxc-dev-string", func(s string) error {
		if !strings.HasPrefix(s, "/dev/") || illegalPath.MatchString(s) {
			return errors.New(s + " is not a valid path to a device")
		}
		return nil
	})
}
