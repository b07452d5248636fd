package sharing

import (
	"strings"

	"mcp-workbench/ports"
)

// unknownTask returns the answer to a request about a task of somebody else, and about none. It
// is no variable, since its JSON would be made at every start of the program.
func unknownTask() ports.Answer { return failure(codeInvalidParams, "Task not found") }

// taskOf returns the id of the task that a request is about, and whether it is about tasks.
func taskOf(request ports.Message) (id string, isAbout bool) {
	if !strings.HasPrefix(request.Method, "tasks/") {
		return "", false
	}
	return text(request.Params, "taskId"), true
}

// maxRecent is how many names are remembered before old ones are forgotten.
const maxRecent = 10_000

// recentNames remembers names, and forgets old ones. The zero value is empty.
type recentNames struct{ new, old map[string]struct{} }

func (n *recentNames) add(name string) {
	if n.new == nil || len(n.new) >= maxRecent/2 {
		n.new, n.old = map[string]struct{}{}, n.new
	}
	n.new[name] = struct{}{}
}

func (n *recentNames) contain(name string) bool {
	_, isNew := n.new[name]
	_, isOld := n.old[name]
	return isNew || isOld
}
