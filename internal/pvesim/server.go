package pvesim

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// Server is a running cluster.
type Server struct {
	opts     Options
	table    *schema.Table
	listener net.Listener
	http     *http.Server
	key      [32]byte // signs tickets
	workers  chan struct{}
	token    string

	mu   sync.Mutex // guards all below; see the package comment
	cond *sync.Cond // woken when a lock is let go, a task ends or a knob is turned

	files       map[string]string
	parsedUsers *conf.Users // of parsedText, see access
	parsedText  string
	vols        map[string]*volume
	nodes       []*node
	running     map[int]*process // started guests
	locks       map[string]lockState
	vms         vmState
	told        map[int]object // figures of guests at the time toldAt, see figures
	toldAt      time.Time
	tasks       []*task
	knobs       knobs
	stray       map[string]bool // archives that do not exist and are protected all the same
	log         []Request
	tick        uint64 // makes UPIDs differ
	closed      bool
	wg          sync.WaitGroup
}

type node struct {
	name  string
	down  bool
	since time.Time
}

// process is a started guest.
type process struct {
	since time.Time
	pid   int
}

// New starts a cluster.
func New(opts Options) (*Server, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.CallLimit == 0 {
		opts.CallLimit = 30 * time.Second
	}
	if opts.Listen == "" {
		opts.Listen = "127.0.0.1:0"
	}
	s := &Server{
		opts: opts, table: schema.Load(),
		vols: map[string]*volume{}, running: map[int]*process{}, locks: map[string]lockState{},
		vms: newVMState(),
	}
	s.cond = sync.NewCond(&s.mu)
	if _, err := rand.Read(s.key[:]); err != nil {
		return nil, err
	}
	if opts.Workers > 0 {
		s.workers = make(chan struct{}, opts.Workers)
	}
	s.knobs.now = opts.Now
	if err := s.load(); err != nil {
		return nil, err
	}
	if err := s.writeRootHeaders(); err != nil {
		return nil, err
	}
	return s, s.listen()
}

func (s *Server) listen() error {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", s.opts.Listen)
	if err != nil {
		return err
	}
	s.listener = l
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ReadHeaderTimeout: time.Minute,
		IdleTimeout:       5 * time.Second, // Source: PVE::APIServer::AnyEvent
	}
	if s.opts.TLS {
		cert, err := selfSigned()
		if err != nil {
			return err
		}
		// Only HTTP/1.1: Proxmox speaks nothing else, and reason phrases need it.
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	}
	go func() {
		if err := s.http.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			panic(err)
		}
	}()
	return nil
}

// URL is the endpoint, without /api2/json.
func (s *Server) URL() string {
	scheme := "http://"
	if s.opts.TLS {
		scheme = "https://"
	}
	return scheme + s.listener.Addr().String()
}

// Token is an API token that may do everything but what is kept for
// root@pam itself: USER@REALM!NAME=SECRET.
func (s *Server) Token() string { return s.token }

// Close stops serving and waits for the tasks.
func (s *Server) Close() {
	_ = s.http.Close()
	s.mu.Lock()
	s.closed = true
	s.cond.Broadcast()
	s.mu.Unlock()
	s.wg.Wait()
}

// now is the time of the cluster.
func (s *Server) now() time.Time { return s.knobs.now() }

// sleep lets others work for d.
func (s *Server) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	s.mu.Unlock()
	<-time.After(d)
	s.mu.Lock()
}

func (s *Server) node(name string) *node {
	for _, n := range s.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

func (s *Server) writeRootHeaders() error {
	if s.opts.RootHeaders == "" {
		return nil
	}
	ticket := s.ticket("root@pam")
	text := "Cookie: PVEAuthCookie=" + escape(ticket) + "\nCSRFPreventionToken: " + s.csrf("root@pam") + "\n"
	return os.WriteFile(s.opts.RootHeaders, []byte(text), 0o600)
}
