package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain"
)

// claudeLimit is how long one run of the program claude may take.
const claudeLimit = 30 * time.Second

// claudeCommand changes the servers of Claude Code with its own program: it rewrites
// its file while it runs, and would take back what somebody else wrote.
type claudeCommand struct {
	program string
	runs    [][]string
}

// ownCommand returns how the host makes a change by itself, if it can. Values of
// servers never go on a command line, where every user of the machine could read them;
// neither does JSON on that of a batch file.
func (c *connecting) ownCommand(host hostfiles.Host, change hostfiles.Change, entry hostfiles.Entry) (*claudeCommand, bool) {
	program, err := exec.LookPath("claude")
	if host.ID != "claude-code" || err != nil || runtime.GOOS == "windows" && !strings.HasSuffix(strings.ToLower(program), ".exe") {
		return nil, false
	}
	// First comes what is added: wherever the runs are cut off, no server is lost.
	own := &claudeCommand{program: program}
	for _, server := range change.Restores {
		if hostfiles.HoldsValues(server.Value) {
			return nil, false
		}
		own.runs = append(own.runs, addition(server.Name, server.Value))
	}
	if has, err := hostfiles.Has(change.File, change.Before, entryName); err == nil && has {
		own.runs = append(own.runs, removal(entryName))
	}
	if entry.Command != "" {
		own.runs = append(own.runs, addition(entryName, hostfiles.Written(change.File, entry)))
	}
	for _, name := range change.Removes {
		own.runs = append(own.runs, removal(name))
	}
	return own, true
}

func removal(name string) []string {
	return []string{"mcp", "remove", "--scope", "user", "--", name}
}

func addition(name string, server []byte) []string {
	return []string{"mcp", "add-json", "--scope", "user", "--", name, string(server)}
}

// run makes the change.
func (c *claudeCommand) run() error {
	for _, args := range c.runs {
		limited, cancel := context.WithTimeout(context.Background(), claudeLimit)
		command := exec.CommandContext(limited, c.program, args...)
		var output bytes.Buffer
		command.Stdout, command.Stderr = &output, &output
		err := command.Run()
		cancel()
		if err != nil {
			said, _, _ := strings.Cut(strings.TrimSpace(output.String()), "\n")
			return fmt.Errorf("run '%s %s': %w: %s", c.program, strings.Join(args[:2], " "), err, domain.TerminalText(said))
		}
	}
	return nil
}
