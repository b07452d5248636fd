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
)

// claudeLimit is how long one run of the program claude may take.
const claudeLimit = 30 * time.Second

// claudeCommand changes the servers of Claude Code with its own program: it rewrites
// its file while it runs, and would take back what somebody else wrote.
type claudeCommand struct {
	program string
	file    hostfiles.File
	runs    []claudeRun
}

// claudeRun is one run of claude, and whether the server is in the file after it.
type claudeRun struct {
	args   []string
	server string
	stays  bool
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
	own := &claudeCommand{program: program, file: change.File}
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

func removal(name string) claudeRun {
	return claudeRun{args: []string{"mcp", "remove", "--scope", "user", "--", name}, server: name}
}

func addition(name string, server []byte) claudeRun {
	return claudeRun{args: []string{"mcp", "add-json", "--scope", "user", "--", name, string(server)}, server: name, stays: true}
}

// run makes the change. After each run it reads the file again: claude may report success and
// have written another file, and then nothing must be taken out of this one.
func (c *claudeCommand) run() error {
	for _, run := range c.runs {
		command := fmt.Sprintf("'%s %s'", c.program, strings.Join(run.args[:2], " "))
		if said, err := c.start(run.args); err != nil {
			return fmt.Errorf("run %s: %w: %s", command, err, said)
		}
		text, err := hostfiles.Load(c.file.Path)
		if err != nil {
			return fmt.Errorf("check what %s did: %w", command, err)
		}
		has, err := hostfiles.Has(c.file, text, run.server)
		switch {
		case err != nil:
			return fmt.Errorf("check what %s did: %w", command, err)
		case run.stays && !has:
			return fmt.Errorf("%s reported success, but %q is not in %s", command, run.server, c.file.Path)
		case !run.stays && has:
			return fmt.Errorf("%s reported success, but %q is still in %s", command, run.server, c.file.Path)
		}
	}
	return nil
}

// start runs claude once and returns the first line that it printed.
func (c *claudeCommand) start(args []string) (said string, err error) {
	limited, cancel := context.WithTimeout(context.Background(), claudeLimit)
	defer cancel()
	output, err := exec.CommandContext(limited, c.program, args...).CombinedOutput()
	said, _, _ = strings.Cut(string(bytes.TrimSpace(output)), "\n")
	return said, err
}
