package watchdog

import (
	"fmt"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// The reports of a workbench, one per line: a server runs, or a server and all its
// descendants are gone.
const (
	runningFormat = "running %d %d %d %d %s\n" // PID, group, session, start time, mark
	goneFormat    = "gone %d\n"
)

func running(p processtree.Process) string {
	return fmt.Sprintf(runningFormat, p.PID, p.Group, p.Session, p.Started, p.Mark)
}

func gone(pid int) string { return fmt.Sprintf(goneFormat, pid) }
