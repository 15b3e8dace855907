package pvesim

import (
	"fmt"
	"time"
)

// lockWait is how long a call waits for the lock of a guest's configuration.
// Source: PVE::AbstractConfig lock_config.
const lockWait = 10 * time.Second

// lock takes a named lock, waiting at most for the time given. The mutex is
// let go while it waits.
func (s *Server) lock(name string, wait time.Duration) bool {
	deadline := time.Now().Add(wait)
	timer := time.AfterFunc(wait, s.cond.Broadcast)
	defer timer.Stop()
	for s.locks[name] {
		if s.closed || !time.Now().Before(deadline) {
			return false
		}
		s.cond.Wait()
	}
	s.locks[name] = true
	return true
}

func (s *Server) unlock(name string) {
	delete(s.locks, name)
	s.cond.Broadcast()
}

// lockGuest runs f under the file lock of a guest's configuration.
func (s *Server) lockGuest(k kind, vmid int, f func() error) error {
	file := fmt.Sprintf("/run/lock/lxc/pve-config-%d.lock", vmid)
	if k == kindQEMU {
		file = fmt.Sprintf("/var/lock/qemu-server/lock-%d.conf", vmid)
	}
	if !s.lock(file, lockWait) {
		return die("can't lock file '%s' - got timeout", file)
	}
	defer s.unlock(file)
	return f()
}
