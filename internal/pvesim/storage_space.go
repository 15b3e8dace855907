package pvesim

// space is the size of a storage and how much of it is used, in bytes.
func (s *Server) space(st *storage, node string) (total, used int64) {
	for _, v := range s.onStorage(st, node) {
		used += v.Size
	}
	return max(500*gib, used), used
}
