package datalabel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	list := datalabel.Entries(guest.LXC, 5001, map[string]string{
		"rootfs":  "local-lvm:vm-5001-disk-0,size=8G",
		"mp0":     "local-lvm:vm-5001-disk-1,mp=/srv,size=4G",
		"mp1":     "local-lvm:vm-5001-disk-2,mp=/by-hand,size=1G",
		"mp2":     "/tank/photos,mp=/photos",
		"mp3":     "/tank/music,mp=/music",
		"mp4":     "local-lvm:vm-5002-disk-0,mp=/shared,size=1G",
		"mp5":     "local:iso/tools.iso,mp=/tools",
		"mp6":     "x,mp=/x",
		"unused0": "local-lvm:vm-5001-disk-3",
	}, map[string]string{"mp7": "local-lvm:vm-5001-disk-4,mp=/new,size=2G"})
	declared := []string{"mp0", "mp2", "mp4"}
	var reinstall, destroy []string
	for _, e := range list {
		fate := datalabel.FateOf(e.Key, slices.Contains(declared, e.Key))
		reinstall = append(reinstall, e.Sentence(datalabel.Reinstalled, fate))
		destroy = append(destroy, e.Sentence(datalabel.Nothing, fate))
	}
	const want = `mp0 (/srv): local-lvm:vm-5001-disk-1, 4G: erased: its data is destroyed; as_configured: a new, EMPTY volume takes its place
mp1 (/by-hand): local-lvm:vm-5001-disk-2, 1G: erased: its data is destroyed; dropped: the configuration does not declare it, it will NOT be mounted again
mp2 (/photos): /tank/photos: host_managed: it belongs to the node and stays; as_configured: it is attached again
mp3 (/music): /tank/music: host_managed: it belongs to the node and stays; dropped: the configuration does not declare it, it will NOT be mounted again
mp4 (/shared): local-lvm:vm-5002-disk-0, 1G: excluded: it belongs to guest 5002 and stays; as_configured: it is attached again
mp5 (/tools): local:iso/tools.iso: excluded: it belongs to no guest and stays; dropped: the configuration does not declare it, it will NOT be mounted again
mp6: x,mp=/x: unknown: the entry cannot be read; dropped: the configuration does not declare it, it will NOT be mounted again
mp7.pending (/new): local-lvm:vm-5001-disk-4, 2G: erased: its data is destroyed; dropped: it will not come back
rootfs (/): local-lvm:vm-5001-disk-0, 8G: erased: its data is destroyed; as_configured: a new, EMPTY volume takes its place
unused0: local-lvm:vm-5001-disk-3: erased: its data is destroyed; dropped: it will not come back`
	if got := strings.Join(reinstall, "\n"); got != want {
		t.Errorf("reinstall\n%s\nwant\n%s", got, want)
	}
	if got, want := destroy[0], "mp0 (/srv): local-lvm:vm-5001-disk-1, 4G: erased: its data is destroyed"; got != want {
		t.Errorf("destroy: %s", got)
	}
}
