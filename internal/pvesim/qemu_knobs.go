package pvesim

// vmState is what is known of running virtual machines beside their files.
type vmState struct {
	paused map[int]bool
	agents map[int]*Agent
}

func newVMState() vmState { return vmState{paused: map[int]bool{}, agents: map[int]*Agent{}} }

// Agent is the QEMU guest agent inside of a virtual machine.
type Agent struct {
	// Interfaces are what network-get-interfaces answers. Nil makes them up: the
	// loopback, and an interface for each netN with the address of its ipconfigN.
	Interfaces []AgentInterface
	// Failure is a failure inside of the guest, which Proxmox passes on with
	// status 200: the description, such as "Command guest-network-get-interfaces has been disabled".
	Failure string
	// Absent is how many calls find no agent yet, as while the guest boots.
	Absent int
}

// AgentInterface is a network interface as the guest sees it.
type AgentInterface struct {
	Name, MAC string
	Addresses []string // CIDR, of both families
}

// SetAgent puts a guest agent into a virtual machine, or with nil takes it
// out. Without this call no agent answers.
func (s *Server) SetAgent(vmid int, agent *Agent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if agent == nil {
		delete(s.vms.agents, vmid)
		return
	}
	copied := *agent
	s.vms.agents[vmid] = &copied
}

// WaitFile returns when the text of a file is as wanted, and the text.
func (s *Server) WaitFile(path string, wanted func(text string) bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !wanted(s.files[path]) && !s.closed {
		s.cond.Wait()
	}
	return s.files[path]
}

// controlAgent is SetAgent with made-up interfaces, or none.
func (s *Server) controlAgent(vmid int, on bool) {
	if on {
		s.SetAgent(vmid, &Agent{})
		return
	}
	s.SetAgent(vmid, nil)
}
