package pvesim

// copyVolume makes a copy of a container's volume on a storage, with what
// mkfs and rsync print. root tells the root disk from a mount point.
func (t *task) copyVolume(node, storageID string, vmid int, from *volume, root bool) (*volume, error) {
	v, err := t.s.allocContainerBytes(node, storageID, vmid, from.Size, t.log)
	if err != nil {
		return nil, err
	}
	v.Used, v.Systemd = from.Used, from.Systemd
	files, bytes, sent := "2 (dir: 2)", "0", "93"
	created, moved, received := "0", "0", "23"
	if root {
		files, bytes, sent = "78 (reg: 11, dir: 26, link: 41)", "1,983,523", "1,986,114"
		created, moved, received = "76 (reg: 11, dir: 24, link: 41)", "11", "455"
	}
	literal := "0"
	if root {
		literal = "1,983,174"
	}
	t.log("\nNumber of files: %s\nNumber of created files: %s\nNumber of deleted files: 0\n"+
		"Number of regular files transferred: %s\nTotal file size: %s bytes\nTotal transferred file size: %s bytes\n"+
		"Literal data: %s bytes\nMatched data: 0 bytes\nFile list size: 0\nFile list generation time: 0.001 seconds\n"+
		"File list transfer time: 0.000 seconds\nTotal bytes sent: %s\nTotal bytes received: %s\n\n"+
		"sent %s bytes  received %s bytes  3,973,138.00 bytes/sec\ntotal size is %s  speedup is 1.00",
		files, created, moved, bytes, literal, literal, sent, received, sent, received, bytes)
	return v, nil
}
