package watchdog

import (
	"bufio"
	"fmt"
	"io"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// The reports of a workbench, one per line: a server is running, or a server and all
// its descendants are gone.
const (
	runningFormat = "running %d %d %d %d\n" // PID, group, session, start time
	goneFormat    = "gone %d\n"
)

func running(p processtree.Process) string {
	return fmt.Sprintf(runningFormat, p.PID, p.Group, p.Session, p.Started)
}

func gone(pid int) string { return fmt.Sprintf(goneFormat, pid) }

// left reads reports to their end, and returns the servers that were not reported
// gone. A line without its line break does not count.
func left(reports io.Reader) []processtree.Process {
	servers := map[int]processtree.Process{}
	lines := bufio.NewReader(reports)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var p processtree.Process
		if n, _ := fmt.Sscanf(line, runningFormat, &p.PID, &p.Group, &p.Session, &p.Started); n == 4 && p.PID > 1 {
			servers[p.PID] = p
		}
		if n, _ := fmt.Sscanf(line, goneFormat, &p.PID); n == 1 {
			delete(servers, p.PID)
		}
	}
	var rest []processtree.Process
	for _, server := range servers {
		rest = append(rest, server)
	}
	return rest
}
