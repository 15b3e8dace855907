package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A promise is what the printed plan has to say about one thing, on one line or
// within the lines of one volume.
type promise struct {
	about   string
	pattern *regexp.Regexp
}

// volumeSays matches the entry of a volume in the plan of `volumes`, up to its closing brace.
func volumeSays(key, attribute, value string) *regexp.Regexp {
	return regexp.MustCompile(`"` + key + `" = \{[^}]*` + attribute + `\s*= "` + value + `"`)
}

var promises = []promise{
	{"the template forces a replacement", regexp.MustCompile(`ostemplate\s.*# forces replacement`)},
	{"the root disk is erased", volumeSays("rootfs", "data", "erased")},
	{"the volume mount mp0 is erased", volumeSays("mp0", "data", "erased")},
	{"the bind mount mp1 is managed by the host", volumeSays("mp1", "data", "host_managed")},
	{"the other guest's volume mp2 is left alone", volumeSays("mp2", "data", "excluded")},
	{"the mount that was attached by hand will not come back", volumeSays("mp9", "mount", "dropped")},
}

func checkPlan(plan string) error {
	var missing []string
	for _, p := range promises {
		if p.pattern.MatchString(plan) {
			fmt.Println("the plan says: " + p.about)
		} else {
			missing = append(missing, p.about)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the plan does not say that %s", strings.Join(missing, ", nor that "))
	}
	return nil
}
