//go:build !linux

package processtree

// Resident reports that the memory of processes is not measured on this system.
func (List) Resident() (size int64, known bool) { return 0, false }
