package vzdump

// Consistency is what an archive is, as it happened.
type Consistency string

// The consistencies. There is no word for "guest file system frozen": an agent
// that answered a freeze proves nothing about the applications' data.
const (
	Consistent      Consistency = "consistent"       // the guest was stopped while it was read
	CrashConsistent Consistency = "crash_consistent" // like a disk after a power cut
)

// ConsistencyOf judges a run by its log: consistent only if the guest was
// stopped all along or was really stopped for the backup. It is empty for a
// run that made no archive.
func ConsistencyOf(r Run) Consistency {
	switch {
	case !r.Done && !r.PruneFailed:
		return ""
	case r.Status == "stopped" && r.Mode == Stop:
		return Consistent
	case r.Status == "running" && r.Mode == Stop && r.Stopped:
		return Consistent
	default:
		return CrashConsistent
	}
}
