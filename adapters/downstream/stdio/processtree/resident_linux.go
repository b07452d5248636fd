package processtree

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Resident returns how many bytes of memory the processes of the list use together. Memory that several of
// them share counts for each. Known is false if none of them is left.
func (l List) Resident() (size int64, known bool) {
	for _, process := range l {
		// The second field is the resident size in pages (proc_pid_statm(5)).
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", process.PID))
		fields := bytes.Fields(text)
		if err != nil || len(fields) < 2 {
			continue // it ended
		}
		pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			continue
		}
		size, known = size+pages*int64(os.Getpagesize()), true
	}
	return size, known
}
