package attrs

import "github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"

// ReadSize reads the size= of a volume. It keeps the prior text when that means
// the same. A bare number is read as Proxmox reads it, in bytes; nothing is
// decided on it. What no configuration could ask for is rounded down to whole
// MiB.
func ReadSize(prior Size, text string) Size {
	stored, err := bytesize.ParseStored(text)
	if err != nil {
		return prior
	}
	whole := stored.Size / bytesize.MiB * bytesize.MiB
	if whole == 0 {
		return NullSize()
	}
	if before, ok := prior.Bytes(); ok && before == whole {
		return prior
	}
	return NewSize(whole)
}

// ExactSize reports whether a configuration could ask for the size= of a volume.
func ExactSize(text string) bool {
	stored, err := bytesize.ParseStored(text)
	return err == nil && !stored.Bare && stored.Size > 0 && stored.Size%bytesize.MiB == 0
}
