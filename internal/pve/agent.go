package pve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// AgentError is an error of the agent inside a VM, which Proxmox answers as success.
type AgentError struct{ Class, Description string }

func (e *AgentError) Error() string {
	return "the guest agent answered " + e.Class + ": " + e.Description
}

// AgentInterface is a network interface as a VM's agent sees it.
type AgentInterface struct {
	Name      string
	MAC       string
	Addresses []Address
}

// AgentInterfaces asks the agent inside a VM for its interfaces, the loopback one too.
// Needs VM.GuestAgent.Audit, on Proxmox VE 8 VM.Monitor. ErrNoAgent: there is none or
// it does not answer; every call waits three seconds for that.
func (c *Client) AgentInterfaces(ctx context.Context, ref guest.Ref) ([]AgentInterface, error) {
	type agentRow struct {
		Name string `json:"name"`
		MAC  string `json:"hardware-address"`
		IPs  []struct {
			IP     string `json:"ip-address"`
			Type   string `json:"ip-address-type"`
			Prefix Int    `json:"prefix"`
		} `json:"ip-addresses"`
	}
	rows, err := agentResult[[]agentRow](ctx, c, get(nil, guestPath(ref, "agent", "network-get-interfaces")...))
	interfaces := make([]AgentInterface, 0, len(rows))
	for _, r := range rows {
		i := AgentInterface{Name: r.Name, MAC: r.MAC}
		for _, ip := range r.IPs {
			i.Addresses = append(i.Addresses, Address{IP: ip.IP, Prefix: int(ip.Prefix), V6: ip.Type == "ipv6"})
		}
		interfaces = append(interfaces, i)
	}
	return interfaces, err
}

// agentResult reads the answer of an agent call: what the agent said is below
// result, and so is an error of its own, in an answer that is a success.
// Source: PVE::API2::Qemu::Agent, PVE::QemuServer::Agent check_agent_error.
func agentResult[T any](ctx context.Context, c *Client, r *request) (T, error) {
	var value T
	reply, err := call[struct {
		Result json.RawMessage `json:"result"`
	}](ctx, c, r)
	if err != nil || len(reply.Result) == 0 {
		return value, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(reply.Result), []byte("{")) {
		var failed struct {
			Error *struct {
				Class string `json:"class"`
				Desc  string `json:"desc"`
			} `json:"error"`
		}
		if json.Unmarshal(reply.Result, &failed) == nil && failed.Error != nil {
			inner := &AgentError{Class: failed.Error.Class, Description: failed.Error.Desc}
			return value, r.fail(http.StatusOK, inner.Error(), inner)
		}
	}
	if err := json.Unmarshal(reply.Result, &value); err != nil {
		return value, r.fail(http.StatusOK, "the agent's answer is not of the expected form: "+err.Error(), ErrProtocol)
	}
	return value, nil
}
