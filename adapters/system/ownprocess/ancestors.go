package ownprocess

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ancestor is a process as its children see it.
type ancestor struct {
	pid, parent, session int
	// terminal is the number of its terminal, 0 if it has none.
	terminal uint64
}

// maxAncestors bounds how far processes are followed.
const maxAncestors = 64

// ancestors returns this process, its parent and so on, as far as the system tells.
func ancestors() (found []ancestor) {
	for pid := os.Getpid(); pid > 0 && len(found) < maxAncestors; {
		process, ok := lookUp(pid)
		if !ok {
			break
		}
		found = append(found, process)
		pid = process.parent
	}
	return found
}

// ShellSession names what commands in one shell have in common: the terminal and its session.
//
// Decision: the terminal is that of the nearest ancestor that has one, since agents run each command in a session of its
// own, without a terminal or with one that is made for the command, which does not count. Without a terminal it is the
// session in which the first process of this session was started, for the same reason: that of an agent that a service or
// an editor started.
func ShellSession() string { return sessionOf(ancestors(), commandLine) }

func sessionOf(found []ancestor, commandLine func(pid int) []string) string {
	for _, process := range found[inTerminalOfCommand(found, commandLine):] {
		if process.terminal != 0 {
			return fmt.Sprintf("terminal %d of session %d", process.terminal, process.session)
		}
	}
	for _, process := range found {
		if process.session != found[0].session {
			return fmt.Sprintf("session %d", process.session)
		}
	}
	if len(found) > 0 {
		return fmt.Sprintf("session %d", found[0].session)
	}
	return fmt.Sprintf("process %d", os.Getppid())
}

// inTerminalOfCommand returns how many processes, beginning with this one, are in a terminal that was made for one command:
// its session was begun by this program, or by a shell that was given the command with "-c".
func inTerminalOfCommand(found []ancestor, commandLine func(pid int) []string) int {
	for i, process := range found {
		words := commandLine(process.pid)
		if i > 0 && !isShell(words) {
			return 0
		}
		if process.pid == process.session {
			if process.terminal != 0 && (i == 0 || slices.ContainsFunc(words, isCommandFlag)) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// isShell reports whether a command line is that of a program that runs commands for others.
func isShell(words []string) bool {
	return len(words) > 0 && slices.Contains(shells, strings.TrimPrefix(filepath.Base(words[0]), "-"))
}

// isCommandFlag reports whether a word of a shell's command line is "-c", alone or with others, such as "-lc".
func isCommandFlag(word string) bool {
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.HasSuffix(word, "c")
}

// shells are the programs that run commands for others.
var shells = []string{"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh", "nu", "env", "timeout", "nice", "time", "xargs", "make", "npx"}

// Caller returns the command line of what called this program: that of the nearest ancestor that is no shell, else
// of the parent; nil if the system does not say it.
func Caller() (line []string) {
	found := ancestors()
	if len(found) < 2 {
		return nil
	}
	line = commandLine(found[1].pid)
	for _, process := range found[1:] {
		words := commandLine(process.pid)
		if len(words) == 0 || process.parent == 0 {
			break
		}
		if !isShell(words) {
			return words
		}
	}
	return line
}
