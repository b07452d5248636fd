//go:build !linux

package processtree

// WithMark returns the environment unchanged: this system's processes have no marks.
func WithMark(environment []string, _ string) []string { return environment }

// markOf returns "".
func markOf(int) string { return "" }

// Resident reports that the memory of processes is not measured on this system.
func (List) Resident() (size int64, known bool) { return 0, false }
