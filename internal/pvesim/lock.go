package pvesim

import (
	"fmt"
	"time"
)

// lockWait is how long a call waits for the lock of a guest's configuration.
// Source: PVE::AbstractConfig lock_config.
const lockWait = 10 * time.Second

// lockState is who holds a named lock: one alone, or several together.
type lockState struct {
	exclusive bool
	shared    int
}

func (l lockState) free(shared bool) bool { return !l.exclusive && (shared || l.shared == 0) }

// lock takes a named lock, waiting at most for the time given. The mutex is
// let go while it waits.
func (s *Server) lock(name string, wait time.Duration) bool { return s.acquire(name, false, wait) }

// acquire takes a named lock, alone or together with others.
func (s *Server) acquire(name string, shared bool, wait time.Duration) bool {
	deadline := time.Now().Add(wait)
	timer := time.AfterFunc(wait, s.cond.Broadcast)
	defer timer.Stop()
	for !s.locks[name].free(shared) {
		if s.closed || !time.Now().Before(deadline) {
			return false
		}
		s.cond.Wait()
	}
	l := s.locks[name]
	if shared {
		l.shared++
	} else {
		l.exclusive = true
	}
	s.locks[name] = l
	return true
}

// unlock lets go of a lock once.
func (s *Server) unlock(name string) {
	l := s.locks[name]
	if l.shared > 1 {
		l.shared--
		s.locks[name] = l
	} else {
		delete(s.locks, name)
	}
	s.cond.Broadcast()
}

// lockFile is the file whose lock guards a guest's configuration.
func lockFile(k kind, vmid int) string {
	if k == kindQEMU {
		return fmt.Sprintf("/var/lock/qemu-server/lock-%d.conf", vmid)
	}
	return fmt.Sprintf("/run/lock/lxc/pve-config-%d.lock", vmid)
}

// lockGuest runs f under the file lock of a guest's configuration.
func (s *Server) lockGuest(k kind, vmid int, f func() error) error {
	return s.lockGuestFor(k, vmid, false, lockWait, f)
}

// lockGuestFor is lockGuest with the choice of sharing the lock and of the
// time to wait for it. Source: PVE::AbstractConfig lock_config_full, lock_config_shared.
func (s *Server) lockGuestFor(k kind, vmid int, shared bool, wait time.Duration, f func() error) error {
	file := lockFile(k, vmid)
	if !s.acquire(file, shared, wait) {
		return die("can't lock file '%s' - got timeout", file)
	}
	defer s.unlock(file)
	return f()
}
