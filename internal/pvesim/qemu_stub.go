package pvesim

func (s *Server) vmStatus(g *guest) object { return object{"vmid": g.vmid, "status": "stopped"} }
