package stdio

import "mcp-workbench/ports"

var _ ports.ServerProcess = (*process)(nil)

// PID implements ports.ServerProcess.
func (p *process) PID() int { return p.cmd.Process.Pid }

// Memory implements ports.ServerProcess.
func (p *process) Memory() (size int64, known bool) {
	select {
	case <-p.released: // its numbers may be those of other processes
		return 0, false
	default:
		return p.group.memory()
	}
}

// Log implements ports.ServerProcess.
func (p *process) Log(after int) (lines []string, last int) { return p.errors.since(after) }
