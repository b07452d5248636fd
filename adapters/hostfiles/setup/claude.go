package setup

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/ownprocess"
)

// claudeLimit limits one run of the program claude.
const claudeLimit = 30 * time.Second

// claudeCommand changes the servers of Claude Code with its own program: Claude Code rewrites
// its file while it runs, and would undo the changes of others.
type claudeCommand struct {
	program string
	file    hostfiles.File
	runs    []claudeRun
	// say tells the user what takes long.
	say func(format string, values ...any)
}

// claudeRun is one run of claude, and whether the server is in the file after it.
type claudeRun struct {
	args   []string
	server string
	stays  bool
}

// commandOf returns the host's own command for a change, or nil if this machine has no such command. Values of servers
// never go on a command line, where every user of the machine could read them; JSON never goes
// on that of a batch file.
func commandOf(host hostfiles.Host, change hostfiles.Change, entry hostfiles.Entry) *claudeCommand {
	program, err := exec.LookPath(host.Program)
	if err != nil || runtime.GOOS == "windows" && !strings.HasSuffix(strings.ToLower(program), ".exe") {
		return nil
	}
	// Additions come first: wherever the runs are cut off, no server is lost.
	command := &claudeCommand{program: program, file: change.File}
	for _, server := range change.Restores {
		if hostfiles.HoldsValues(server.Value) {
			return nil
		}
		command.runs = append(command.runs, addition(server.Name, server.Value))
	}
	if listed, err := hostfiles.Has(change.File, change.Before, EntryName); err == nil && listed {
		command.runs = append(command.runs, removal(EntryName))
	}
	if !entry.IsEmpty() {
		command.runs = append(command.runs, addition(EntryName, hostfiles.EntryJSON(change.File, entry)))
	}
	for _, name := range change.Removes {
		command.runs = append(command.runs, removal(name))
	}
	return command
}

func removal(name string) claudeRun {
	return claudeRun{args: []string{"mcp", "remove", "--scope", "user", "--", name}, server: name}
}

func addition(name string, server []byte) claudeRun {
	return claudeRun{args: []string{"mcp", "add-json", "--scope", "user", "--", name, string(server)}, server: name, stays: true}
}

// run makes the change. It reads the file after each run: claude may report success and have
// written another file, and then nothing must be removed from this one.
func (c *claudeCommand) run() error {
	if len(c.runs) > 0 {
		c.say("Changing %s with '%s mcp', which takes some seconds…", c.file.Path, c.program)
	}
	for _, run := range c.runs {
		command := fmt.Sprintf("'%s %s'", c.program, strings.Join(run.args[:2], " "))
		if output, err := c.start(run.args); err != nil && output == "" {
			return fmt.Errorf("run %s: %w, and it printed nothing", command, err)
		} else if err != nil {
			return fmt.Errorf("run %s: %w: %s", command, err, output)
		}
		text, err := hostfiles.Load(c.file.Path)
		listed := false
		if err == nil {
			listed, err = hostfiles.Has(c.file, text, run.server)
		}
		switch {
		case err != nil:
			return fmt.Errorf("check what %s did: %w", command, err)
		case run.stays && !listed:
			return fmt.Errorf("%s reported success, but %q is not in %s", command, run.server, c.file.Path)
		case !run.stays && listed:
			return fmt.Errorf("%s reported success, but %q is still in %s", command, run.server, c.file.Path)
		}
	}
	return nil
}

// start runs claude once and returns the first line that it printed.
func (c *claudeCommand) start(args []string) (firstLine string, err error) {
	limited, cancel := context.WithTimeout(context.Background(), claudeLimit)
	defer cancel()
	command := exec.CommandContext(limited, c.program, args...)
	ownprocess.WithoutWindow(command)
	output, err := command.CombinedOutput()
	firstLine, _, _ = strings.Cut(string(bytes.TrimSpace(output)), "\n")
	return firstLine, err
}
