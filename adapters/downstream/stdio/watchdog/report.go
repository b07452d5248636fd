package watchdog

import (
	"bufio"
	"fmt"
	"io"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// The reports of a workbench, one in a line: a server is running, a server is gone
// with everything it had started.
const (
	runningFormat = "running %d %d %d %d\n" // number, group, session, start
	goneFormat    = "gone %d\n"
)

func running(p processtree.Process) string {
	return fmt.Sprintf(runningFormat, p.PID, p.Group, p.Session, p.Started)
}

func gone(pid int) string { return fmt.Sprintf(goneFormat, pid) }

// left reads reports until there are no more, and returns the servers that were
// not reported gone. A line that was not finished does not count.
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
