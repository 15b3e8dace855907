package pvesim

func (s *Server) vmStatus(g *guest) object                      { return object{"vmid": g.vmid, "status": "stopped"} }
func (s *Server) haState(g *guest) object                       { return object{"managed": 0} }
func (s *Server) interfaces(g *guest) any                       { return nil }
func (s *Server) space(st *storage, node string) (int64, int64) { return 100 * gib, 0 }
