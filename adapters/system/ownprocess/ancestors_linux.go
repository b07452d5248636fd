package ownprocess

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// lookUp reads /proc.
func lookUp(pid int) (ancestor, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ancestor{}, false
	}
	process := ancestor{pid: pid}
	var state string
	var group int
	// The name of the program may have blanks and parentheses.
	_, err = fmt.Sscan(string(text[bytes.LastIndexByte(text, ')')+1:]), &state, &process.parent, &group, &process.session, &process.terminal)
	return process, err == nil
}

func commandLine(pid int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // that of a process of another user may not be readable
	line := strings.TrimRight(string(text), "\x00")
	if line == "" {
		return nil
	}
	return strings.Split(line, "\x00")
}
