package templatefile_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const address = "proxmox_template_file.f"

// writes checks the requests since the last check that change something.
func writes(s *pvesim.Server, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got := acctest.Writes(s.Requests())
		s.ResetRequests()
		if !slices.Equal(got, want) {
			return fmt.Errorf("the writes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return nil
	}
}

func file(lines ...string) string {
	return "resource \"proxmox_template_file\" \"f\" {\n  storage = \"local\"\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

func TestTemplateFileLife(t *testing.T) {
	t.Parallel()
	const image = "https://example.org/small.tar.zst"
	s := acctest.Cluster(t, pvesim.Options{})
	s.ServeURL(image, pvesim.RemoteFile{Size: 5 << 20, Checksums: map[string]string{"sha256": "ab"}})
	block := acctest.Provider(s, `default_node = "pve1"`)
	acctest.Run(t, resource.TestCase{
		CheckDestroy: writes(s, "DELETE /nodes/pve1/storage/local/content/local:vztmpl/alpine-3.22-default_20250617_amd64.tar.xz"),
		Steps: []resource.TestStep{
			{ // A file with another checksum is not kept.
				Config:      block + file(`url = "`+image+`"`, `checksum = "cd"`, `checksum_algorithm = "sha256"`),
				ExpectError: regexp.MustCompile(`(?s)was\s+not\s+fetched.*checksum mismatch: got 'ab' != expect\s+'cd'`),
			},
			{
				PreConfig: s.ResetRequests,
				Config:    block + file(`url = "`+image+`?x=1"`, `checksum = "ab"`, `checksum_algorithm = "sha256"`),
				Check:     writes(s, "POST /nodes/pve1/storage/local/download-url checksum=ab checksum-algorithm=sha256 content=vztmpl filename=small.tar.zst url="+image+"?x=1"),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(address, tfjsonpath.New("volume_id"), knownvalue.StringExact("local:vztmpl/small.tar.zst")),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("size"), knownvalue.NotNull()),
				},
			},
			{
				ResourceName: address, ImportState: true, ImportStateId: "pve1/local:vztmpl/small.tar.zst", ImportStateVerify: true,
				ImportStateVerifyIdentifierAttribute: "volume_id", ImportStateVerifyIgnore: []string{"url", "checksum", "checksum_algorithm"},
			},
			{ // Another file of the catalogue takes its place.
				Config: block + file(`appliance = "alpine-3.22-default_20250617_amd64.tar.xz"`, `file_name = null`),
				Check: writes(s, "DELETE /nodes/pve1/storage/local/content/local:vztmpl/small.tar.zst",
					"POST /nodes/pve1/aplinfo storage=local template=alpine-3.22-default_20250617_amd64.tar.xz"),
			},
		},
	})
}

func TestTemplateFileIsRefused(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	block := acctest.Provider(s, `default_node = "pve1"`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: block + file(), ExpectError: regexp.MustCompile(`The file has to come from one place`), PlanOnly: true},
		{Config: block + strings.Replace(file(`url = "https://example.org/a.tar.gz"`), `"local"`, `"local-lvm"`, 1), ExpectError: regexp.MustCompile(`Storage local-lvm does not take content vztmpl`), PlanOnly: true},
		// What is there already is not taken for ours.
		{Config: block + file(`url = "https://example.org/debian-12-standard_12.7-1_amd64.tar.zst"`), ExpectError: regexp.MustCompile(`There is a file`)},
	}})
	if lines := acctest.Writes(s.Requests()); len(lines) > 0 {
		t.Errorf("sent %v", lines)
	}
}
