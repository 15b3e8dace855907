package schema

import (
	"errors"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/calendar"
)

func init() {
	register("pve-calendar-event", func(s string) error {
		_, err := calendar.Parse(s)
		if err != nil {
			return errors.New(err.Error() + "\n")
		}
		return nil
	})
	register("pve-day-of-week", matching(`^(mon|tue|wed|thu|fri|sat|sun)$`, "invalid day '%s'"))
	register("email-or-username", matching(`^([\w+\-.]+@[\w\-.]+|[^\s:/@]+(@[^\s:/]+)?)$`, "value does not look like a valid email address or user name"))
	verifiers["prune-backups"] = verifyRetention
	verifiers["backup-fleecing"] = func(keys map[string]string) (map[string]string, error) {
		if keys["enabled"] == "1" && keys["storage"] == "" {
			return nil, errors.New("fleecing storage is required when fleecing is enabled")
		}
		return keys, nil
	}
}

// verifyRetention refuses keep-all beside other rules; rules that are all
// zero keep all. Source: PVE::Storage::Plugin validate_prune_backups.
func verifyRetention(keys map[string]string) (map[string]string, error) {
	_, all := keys["keep-all"]
	if all && len(keys) > 1 {
		for key, value := range keys {
			if key != "keep-all" && value != "0" && keys["keep-all"] == "1" {
				return nil, errors.New("keep-all cannot be set together with other options.") //nolint:revive // Proxmox's own text
			}
		}
	}
	out := map[string]string{}
	for key, value := range keys {
		if value != "0" {
			out[key] = value
		}
	}
	if len(out) == 0 || out["keep-all"] == "1" {
		return map[string]string{"keep-all": "1"}, nil
	}
	return keys, nil
}
