package ownprocess

import "strings"

// OnSignal is OnInterrupt for another signal, until an end.
var OnSignal = onSignal

// Process is a process as SessionOf sees it.
type Process struct {
	PID, Session, Terminal int
	// Line is its command line, "" if the system does not say it.
	Line string
}

// SessionOf is the session of the first process. Each is a child of the next.
func SessionOf(processes ...Process) string {
	var found []ancestor
	lines := map[int][]string{}
	for _, process := range processes {
		found = append(found, ancestor{pid: process.PID, session: process.Session, terminal: uint64(process.Terminal)})
		lines[process.PID] = strings.Fields(process.Line)
	}
	return sessionOf(found, func(pid int) []string { return lines[pid] })
}
