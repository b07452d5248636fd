package setup

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/review"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
)

// EntryName is the name of the workbench in the files of hosts.
const EntryName = setup.EntryName

// connecting changes the workbench's entry in the files of hosts.
type connecting struct {
	*Editor
	machine     hostfiles.Machine
	connections *hostfiles.Connections
	hosts       []hostfiles.Host
	// results are those of the hosts so far, and written is called after each; nil for nothing.
	results []connection
	written func(results []connection)
	// offersCopy is true if the user was asked about a program that does not stay where it is, and copied is its copy, which the
	// hosts are to start; "" for none.
	offersCopy bool
	copied     string
	// hasChosen is true if the user chose the hosts in this command a moment before.
	hasChosen bool
	Wanted
}

// connection is the change made to one host, as written with --json.
type connection struct {
	Host     string   `json:"host"`
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Changes  bool     `json:"changes"`
	Written  bool     `json:"written"`
	Replaced []string `json:"replaced"`
	Restored []string `json:"restored"`
	// Skills are the files of skills that are written or removed.
	Skills []string `json:"skills"`
	Notes  []string `json:"notes"`
	Diff   string   `json:"diff,omitempty"`
	Error  string   `json:"error,omitempty"`

	entry hostfiles.Entry // what the host gets; empty when it is disconnected
}

func (c *connection) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// Wanted describes the entry that connect writes.
type Wanted struct {
	// EveryHost connects the hosts on this machine.
	EveryHost bool
	// Replaces removes servers from the hosts' files that are in the configuration.
	Replaces bool
	// Toolboxes are the names of the toolboxes that the hosts see, with commas between, "" for all.
	Toolboxes string
	// Skills writes a skill for each toolbox in place of the entry, into the user's or the project's folder. The scope ""
	// is that of the configuration.
	Skills bool
	Scope  string
	// Address is that of a workbench that listens, empty for this program.
	Address setup.Address
}

// Connect writes the workbench into the files of the hosts with these IDs.
func Connect(e *Editor, ids []string, wanted Wanted) error {
	if wanted.Address.Token != "" && wanted.Address.URL == "" {
		return &UsageError{errors.New("--token-env goes with --url")}
	}
	c, err := connectingTo(e, ids, wanted.EveryHost)
	if err != nil {
		return err
	}
	c.Wanted = wanted
	switch {
	case wanted.Skills:
		return c.connectSkills("")
	case wanted.Scope != "":
		return &UsageError{errors.New("--scope goes with --skills")}
	case wanted.Address.URL != "":
		return c.connectAddress()
	}
	return c.connect("")
}

// Disconnect removes the workbench from the files and the skills of the hosts with these IDs, or of all
// hosts on this machine.
func Disconnect(e *Editor, ids []string, everyHost bool) error {
	c, err := connectingTo(e, ids, everyHost)
	if err != nil {
		return err
	}
	return c.each(func(host hostfiles.Host, result *connection) error {
		file := host.UserFile(c.machine)
		change, err := c.connections.Disconnect(file, EntryName)
		if errors.Is(err, textedit.ErrNotFound) {
			change, err = hostfiles.Change{File: file}, nil
		}
		for _, server := range change.Restores {
			result.Restored = append(result.Restored, server.Name)
		}
		if err == nil {
			err = c.make(host, change, result)
		}
		return errors.Join(err, c.disconnectSkills(host, result))
	})
}

// newConnecting finds the files of hosts, and the folder in which the program records its changes
// to them.
func newConnecting(e *Editor) (*connecting, error) {
	state, err := e.State()
	if err != nil {
		return nil, err
	}
	c := &connecting{Editor: e, connections: hostfiles.NewConnections(filepath.Join(state, "connections"))}
	if c.machine, err = hostfiles.ThisMachine(); err != nil {
		return nil, fmt.Errorf("find the files of hosts: %w", err)
	}
	return c, nil
}

func connectingTo(e *Editor, ids []string, everyHost bool) (*connecting, error) {
	c, err := newConnecting(e)
	if err != nil {
		return nil, err
	}
	if everyHost {
		c.hosts = c.presentHosts()
	}
	for _, host := range hostfiles.Hosts() {
		if slices.Contains(ids, host.ID) {
			c.hosts = append(c.hosts, host)
		}
	}
	if len(c.hosts) == 0 {
		return nil, fmt.Errorf("no host was found on this machine; name the one that you use: %s", strings.Join(hostfiles.IDs(), ", "))
	}
	return c, nil
}

// presentHosts returns the hosts on this machine, and those that have skills of the workbench.
func (c *connecting) presentHosts() []hostfiles.Host {
	skilled := map[string]bool{}
	if folders, err := c.skillFolders(); err == nil {
		used, _ := folders.Used(func(skills.Use) bool { return true }) // disconnecting a host reports what cannot be read
		for _, folder := range used {
			for _, use := range folder.Uses {
				skilled[use.Host] = true
			}
		}
	}
	return slices.DeleteFunc(hostfiles.Hosts(), func(host hostfiles.Host) bool { return !skilled[host.ID] && !host.IsPresent(c.machine) })
}

// eachFile plans the change of each host's file, shows it and makes it.
func (c *connecting) eachFile(plan func(hostfiles.Host, *connection) (hostfiles.Change, error)) error {
	return c.each(func(host hostfiles.Host, result *connection) error {
		planned, err := plan(host, result)
		if err != nil {
			return err
		}
		return c.make(host, planned, result)
	})
}

// each changes what belongs to each host. A failure for one host does not affect the others.
func (c *connecting) each(change func(hostfiles.Host, *connection) error) error {
	c.results = make([]connection, 0, len(c.hosts))
	failed := false
	for _, host := range c.hosts {
		result := connection{
			Host: host.ID, Name: host.Name, File: host.UserFile(c.machine).Path,
			Replaced: []string{}, Restored: []string{}, Skills: []string{}, Notes: []string{},
		}
		if err := change(host, &result); err != nil {
			failed = true
			result.Error = err.Error()
			c.Console.Err.Printf("mcp-workbench: %s: %v\n", host.Name, err)
			c.sayLines(host, err, result.entry)
		}
		c.results = append(c.results, result)
		if c.written != nil {
			c.written(c.results)
		}
	}
	return c.finish(map[string]any{"hosts": c.results}, failed)
}

// sayLines prints the lines that the user can add to a host's file in YAML that cannot be edited.
func (c *connecting) sayLines(host hostfiles.Host, err error, entry hostfiles.Entry) {
	isRefused := errors.Is(err, textedit.ErrNotEditable) || errors.Is(err, textedit.ErrSyntax)
	if !isRefused || entry.IsEmpty() || filepath.Ext(host.UserFile(c.machine).Path) != ".yaml" {
		return
	}
	file := host.UserFile(c.machine)
	if lines, err := hostfiles.Set(file, nil, EntryName, hostfiles.EntryJSON(file, entry)); err == nil {
		c.Console.Err.Printf("Write these lines into it, below the first one if that is there, with each entry on lines of its own:\n\n%s\n", hostfiles.Masked(file, lines))
	}
}

// othersCanRead reports whether the mode of a file lets others read it. Modes of Windows say nothing.
func othersCanRead(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0
}

// showEntry shows what a host starts or reaches from now on, what that gets, and what is removed for it. It reports whether
// something of that needs care.
func (c *connecting) showEntry(planned hostfiles.Change, entry hostfiles.Entry) (needsCare bool) {
	if entry.IsEmpty() {
		return false
	}
	settings := setup.Settings{Command: entry.Command, Args: entry.Args, URL: entry.URL, Env: map[string]string{}}
	for _, name := range entry.Variables {
		settings.Env[name] = "${" + name + "}"
	}
	maps.Copy(settings.Env, entry.Values)
	if entry.URL != "" {
		settings.Env = nil
		if entry.Token != "" {
			settings.Headers = map[string]string{"Authorization": "Bearer ${" + entry.Token + "}"}
		}
	}
	reviewed := review.Of(review.Change{Keys: config.KeysOfServers(c.Transports), After: settingsJSON(&settings)})
	c.sayReview(reviewed)
	if len(planned.Removes) > 0 {
		c.say("  removes: %s, which the workbench has", quotedNames(planned.Removes))
	}
	return len(reviewed.NeedsCare) > 0
}

// make shows a planned change and makes it after a yes.
func (c *connecting) make(host hostfiles.Host, planned hostfiles.Change, result *connection) error {
	file := planned.File
	if planned.IsEmpty() {
		c.say("%s: nothing to change in %s", host.Name, file.Path)
		// Decision: a command that has nothing to write changes no mode either, and says what to do.
		if planned.Private && othersCanRead(file.Path) {
			result.note("others can read %s, which has values: 'chmod 600' keeps them out", file.Path)
			c.sayNotes(result.Notes)
		}
		return c.printErr
	}
	result.Changes = true
	var carryOut func() error
	if command := commandOf(host, planned, result.entry); command != nil {
		command.say = c.say
		carryOut = command.run
		result.note("%s changes the file itself, since it rewrites it while it runs", host.Name)
	}
	if target, err := hostfiles.Writable(file.Path); err == nil && target != file.Path {
		result.note("%s is a link: %s is written", file.Path, target)
	}
	c.sayNotes(result.Notes)
	confirm := c.terminal.Confirm
	if needsCare := c.showEntry(planned, result.entry); c.hasChosen && !needsCare {
		confirm = c.terminal.ConfirmChosen
	}
	shown := change{
		path: file.Path, before: hostfiles.Masked(file, planned.Before), after: hostfiles.Masked(file, planned.After),
		apply: func() error { return c.connections.Apply(planned, carryOut) },
	}
	result.Diff = shown.diff()
	if err := c.show(shown); err != nil {
		return err
	}
	written, err := c.apply(shown, confirm)
	if result.Written = written; written {
		c.say("%s: written. Restart %s, or start a new session in it.", host.Name, host.Name)
	}
	return err
}
