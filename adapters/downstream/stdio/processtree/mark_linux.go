package processtree

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// markVariable is the environment variable that carries the mark of a program. Processes
// inherit it, so it identifies the descendants of a program even when all processes in between are gone
// (Jenkins and GitHub's runners find leftover processes in the same way).
const markVariable = "MCP_WORKBENCH_SERVER"

// maxEnvironment is the number of bytes of an environment that are searched for the mark. Linux
// limits environments to a quarter of the stack, 2 MiB by default.
const maxEnvironment = 2 << 20

// WithMark returns the environment with the mark of a program that is about to be started.
func WithMark(environment []string, mark string) []string {
	return append(environment, markVariable+"="+mark)
}

// markOf returns the mark in the environment with which a process began, "" if there is none
// or the environment belongs to another user.
func markOf(pid int) string {
	file, err := os.Open(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read from
	environment, err := io.ReadAll(io.LimitReader(file, maxEnvironment))
	if err != nil {
		return "" // the process ended meanwhile
	}
	for entry := range bytes.SplitSeq(environment, []byte{0}) {
		if mark, ok := bytes.CutPrefix(entry, []byte(markVariable+"=")); ok {
			return string(mark)
		}
	}
	return ""
}
