// Command pvesim serves a simulated Proxmox VE cluster over HTTP.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if err := run(os.Args[1:], os.Stdout, stop); err != nil {
		fmt.Fprintln(os.Stderr, "pvesim:", err)
		os.Exit(1)
	}
}

// run serves until a signal tells it to stop.
func run(args []string, out io.Writer, stop <-chan os.Signal) error {
	opts, logFile, err := parse(args)
	if err != nil {
		return err
	}
	if logFile != "" {
		f, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // each line was written when it was made
		opts.Log = f
	}
	s, err := pvesim.New(opts)
	if err != nil {
		return err
	}
	defer s.Close()
	_, _ = fmt.Fprintf(out, "endpoint  %s\n", s.URL())
	if s.Token() != "" {
		_, _ = fmt.Fprintf(out, "token     %s\n", s.Token())
	}
	<-stop
	return nil
}

func parse(args []string) (opts pvesim.Options, logFile string, err error) {
	flags := flag.NewFlagSet("pvesim", flag.ContinueOnError)
	flags.StringVar(&opts.Dir, "dir", "", "state directory laid out like /etc/pve; without it a small cluster in memory")
	flags.StringVar(&opts.Dir, "state", "", "the same as --dir")
	flags.StringVar(&opts.Listen, "listen", "127.0.0.1:8006", "address and port")
	flags.DurationVar(&opts.Latency, "latency", 0, "added to each request")
	flags.DurationVar(&opts.TaskTime, "task-time", 200*time.Millisecond, "how long a task works")
	flags.DurationVar(&opts.AuthDelay, "auth-delay", 0, "before an answer 401; Proxmox takes 3s")
	flags.DurationVar(&opts.StatusCycle, "status-cycle", 0, "how often the figures of /cluster/resources are renewed, 0 is always; Proxmox takes 10s")
	flags.IntVar(&opts.Workers, "workers", 0, "requests handled at once, 0 is no limit")
	flags.StringVar(&opts.RootHeaders, "root-headers", "", "file that receives the header lines of a session of root@pam")
	flags.StringVar(&opts.RootPassword, "root-password", "", "password of root@pam; without it nobody can log in as root@pam")
	flags.BoolVar(&opts.TLS, "tls", false, "serve https with a certificate of its own")
	flags.StringVar(&logFile, "log", "", "file that receives a line for each request: method, path, status, ms")
	flags.Func("nodes", "names of the nodes, with commas", func(text string) error {
		opts.Nodes = strings.Split(text, ",")
		return nil
	})
	opts.Tokens = map[string]string{}
	flags.Func("token", "'USER@REALM!NAME=SECRET', may be repeated", func(text string) error {
		name, secret, ok := strings.Cut(text, "=")
		if !ok || !strings.Contains(name, "!") {
			return fmt.Errorf("%q is not USER@REALM!NAME=SECRET", text)
		}
		opts.Tokens[name] = secret
		return nil
	})
	return opts, logFile, flags.Parse(args)
}
