// Command demo shows the provider's main job against the simulator: a container
// is created, somebody attaches a mount by hand, the template is changed, and
// the plan says for every volume what the reinstall does to its data.
//
// It fails if the plan does not say so. It needs the programs that `make build
// pvesim` writes, and terraform or tofu (environment variable CLI).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

const (
	firstTemplate  = "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"
	secondTemplate = "local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst"
)

func main() {
	cli := flag.String("cli", os.Getenv("CLI"), "terraform or tofu")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *cli)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cli string) (err error) {
	work, err := os.MkdirTemp("", "proxmox-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()

	cluster, err := startCluster(ctx, filepath.Join(work, "cluster"))
	if err != nil {
		return err
	}
	defer cluster.stop()
	fmt.Println("A simulated Proxmox VE cluster answers at", cluster.endpoint)

	tf, err := newTerraform(cli, filepath.Join(work, "configuration"), cluster.endpoint)
	if err != nil {
		return err
	}
	steps := []step{
		{"Create the container (terraform apply)", func() error {
			return tf.run(ctx, "apply", "-auto-approve", "-var", "ostemplate="+firstTemplate)
		}},
		{"Somebody attaches a mount by hand, outside Terraform", func() error {
			return cluster.attachByHand(ctx)
		}},
		{"Change the template and plan: every volume has its data label", func() error {
			plan, err := tf.output(ctx, "plan", "-out=reinstall.tfplan", "-var", "ostemplate="+secondTemplate)
			if err != nil {
				return err
			}
			return checkPlan(plan)
		}},
		{"Apply exactly that plan", func() error {
			return tf.run(ctx, "apply", "reinstall.tfplan")
		}},
		{"Plan again: nothing is left to do", func() error {
			return tf.run(ctx, "plan", "-detailed-exitcode", "-var", "ostemplate="+secondTemplate)
		}},
		{"Clean up (terraform destroy)", func() error {
			return tf.run(ctx, "destroy", "-auto-approve", "-var", "ostemplate="+secondTemplate)
		}},
	}
	for n, s := range steps {
		fmt.Printf("\n=== %d. %s\n\n", n+1, s.title)
		if err := s.do(); err != nil {
			return fmt.Errorf("step %d (%s): %w", n+1, s.title, err)
		}
	}
	fmt.Println("\nThe demo is complete; nothing of it is left on this machine.")
	return nil
}

type step struct {
	title string
	do    func() error
}
