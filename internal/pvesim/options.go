package pvesim

import (
	"io"
	"time"
)

// Options say what cluster is simulated. The zero value is a small ready
// cluster in memory, see defaults.go, on a free port of 127.0.0.1.
type Options struct {
	Dir     string            // state directory, read at first and written through; empty is memory only
	Files   map[string]string // initial files as in Dir, instead of the ready cluster
	Nodes   []string          // names of nodes, default those of the state, else pve1 and pve2
	Listen  string            // default 127.0.0.1:0
	Bridges []string          // of every node, beside vmbr0
	CPUs    int               // of every node, default 2; a machine with more virtual ones does not start
	TLS     bool              // serve https with a certificate of its own

	TaskTime  time.Duration // how long a task works, default 0
	Latency   time.Duration // added to each request
	AuthDelay time.Duration // before an answer 401; Proxmox takes 3 s
	CallLimit time.Duration // after which a call that still works is answered 596, default 30 s
	// StatusCycle is how often names, states and figures in /cluster/resources
	// are renewed. On a genuine cluster it is 10 s; 0 shows them as they are.
	StatusCycle time.Duration
	Workers     int // requests handled at once, 0 is no limit

	Tokens map[string]string // secrets by USER!TOKEN, made without privilege separation
	// RootPassword is the password of root@pam, which on a genuine node stands in
	// /etc/shadow, outside of /etc/pve. Empty: nobody can log in as root@pam.
	RootPassword string
	RootHeaders  string           // file that receives the header lines of a session of root@pam
	Log          io.Writer        // one line a request: method, path, status, milliseconds
	Now          func() time.Time // default time.Now
}
