package sharing

import (
	"strings"

	"mcp-workbench/ports"
)

// unknownTask returns the answer to a request about a task that is not the member's. It is not a
// variable, since its JSON would be made at every start of the program.
func unknownTask() ports.Answer { return failure(codeInvalidParams, "Task not found") }

// taskOf returns the id of the task that a request is about, and whether it is about tasks.
func taskOf(request ports.Message) (id string, isAbout bool) {
	if !strings.HasPrefix(request.Method, "tasks/") {
		return "", false
	}
	return text(request.Params, "taskId"), true
}

// maxTasks is the largest number of tasks that are remembered of a host.
const maxTasks = 10_000
