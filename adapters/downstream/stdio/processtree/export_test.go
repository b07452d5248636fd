package processtree

// ParseKinfo returns the process of a struct kinfo_proc of macOS.
func ParseKinfo(raw *[648]byte) Process { return parseKinfo(raw) }
