package hostfiles

import (
	"path/filepath"
	"slices"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
)

// File is a place where a host keeps servers. It need not exist.
type File struct {
	setup.Source

	member []string // the path of the servers in the file
	form   *form
	// project is the folder of the project that the file belongs to, "" for none.
	project string
	// machine is the one that it is on.
	machine Machine
	// inputs are the defaults of what the host asks its user for, by id.
	inputs map[string]string
	// boards say elsewhere which of its servers the host does not start.
	boards []switchboard
	// rules returns the host's own about tools, nil for a host without any, and namings how they name tools.
	rules   func(Machine) ([]rule, error)
	namings []naming
}

func newFile(host string, scope setup.Scope, path string, form *form, member ...string) File {
	return File{Source: setup.Source{Host: host, Scope: scope, Path: path}, member: member, form: form}
}

// Host is a program that starts MCP servers.
type Host struct {
	// ID is its name in commands: "claude-code".
	ID string
	// Name is its name for people: "Claude Code".
	Name string
	// Expands writes a reference to a variable of the environment as the host expands it in
	// "env" and "headers"; nil if it expands none.
	Expands func(variable string) string
	// tilde is true if the host expands "~" at the beginning of a program, an argument and a folder.
	tilde bool
	// Forwards is true if the host passes variables on by name ("env_vars").
	Forwards bool
	// Inherits is true if the host passes its whole environment on.
	Inherits bool
	// Refuses is true if the host refuses its file, or the server, for a reference to a variable that
	// is not set.
	Refuses bool
	// TakesAway are variables that the workbench reads itself and that the host does not pass on although it has them.
	TakesAway []string
	// Note tells the user what to do in the host besides restarting it; "" for nothing.
	Note string
	// Program is the host's own program, which changes its servers while it runs ("PROGRAM mcp add-json"); "" for none.
	Program string
	// IsPackaged is true if the first of several files of the user is that of the package that is installed.
	IsPackaged bool

	form   *form
	member []string
	// address is how it writes a server at an address; its file can have none if that is empty.
	address addressForm
	// user returns its files for the user, and project are those below the folder of a project.
	user    func(Machine) []string
	project [][]string
	// editor is the editor that the host is, the zero value for none.
	editor editor
	// local returns where the user's own file has servers for a folder; nil for nowhere.
	local func(m Machine, path, folder string) (members [][]string)
	// boards returns what says apart from a file which of its servers the host does not start; nil for nothing.
	boards func(m Machine, file File) []switchboard
	// rules returns the host's own rules about tools, which name them so; nil for none.
	rules   func(Machine) ([]rule, error)
	namings []naming
	// also returns files that it only reads, below the folders of the user and of a project, "" for none.
	also func(m Machine, user, project string) []File
}

// Hosts returns the hosts that are known, in the order in which they are shown.
func Hosts() []Host { return slices.Clone(hosts) }

// IDs returns the IDs of the hosts that are known.
func IDs() []string {
	ids := make([]string, len(hosts))
	for i, host := range hosts {
		ids[i] = host.ID
	}
	return ids
}

// Find returns the host of an ID.
func Find(id string) (Host, bool) {
	i := slices.IndexFunc(hosts, func(h Host) bool { return h.ID == id })
	if i < 0 {
		return Host{}, false
	}
	return hosts[i], true
}

// Files returns where the host keeps servers on a machine: the files of the user first.
func (h Host) Files(m Machine) []File {
	files := h.places(m)
	if h.also != nil {
		files = append(files, h.also(m, filepath.Dir(files[0].Path), m.project())...)
	}
	for i := range files {
		files[i] = h.own(m, files[i])
		if h.boards != nil {
			files[i].boards = h.boards(m, files[i])
		}
	}
	return files
}

// own returns a file as one of the host.
func (h Host) own(m Machine, file File) File {
	file.Host, file.machine, file.rules, file.namings = h.ID, m, h.rules, h.namings
	return file
}

// places returns the files that the host writes.
func (h Host) places(m Machine) []File {
	var files []File
	for _, path := range h.user(m) {
		files = append(files, newFile(h.ID, setup.User, path, h.form, h.member...))
	}
	if h.local != nil {
		for _, folder := range m.ownFolders() {
			for _, member := range h.local(m, files[0].Path, folder) {
				files = append(files, inProject(folder, newFile(h.ID, setup.Local, files[0].Path, h.form, member...)))
			}
		}
	}
	project := m.project()
	if project == "" {
		return files
	}
	for _, below := range h.project {
		file := newFile(h.ID, setup.Project, m.project(below...), h.form, h.member...)
		file.project = project
		files = append(files, file)
	}
	return files
}

// localOfClaude returns where Claude Code keeps servers for one user in one folder.
func localOfClaude(m Machine, path, folder string) (members [][]string) {
	for _, name := range m.claudeProjects(path, folder) {
		members = append(members, []string{"projects", name, "mcpServers"})
	}
	return members
}

// IsElsewhere reports whether the servers of the file are for a folder other than the working one.
func (f File) IsElsewhere() bool {
	return f.Scope == setup.Local && !f.machine.isSame(f.project, f.machine.Project)
}

// claudeProjects returns the names that Claude Code has for a folder in its file: on Windows there can be several,
// such as C:/shop and c:/shop, which differ from that of the system.
func (m Machine) claudeProjects(path, folder string) []string {
	var names []string
	if m.isWindows() {
		text, _ := Load(path) // a mistake is reported when its servers are read
		members, _ := textedit.ReadJSON(text, []string{"projects"})
		for _, member := range members {
			if m.isSame(member.Name, folder) {
				names = append(names, member.Name)
			}
		}
	}
	if names == nil {
		names = []string{folder}
	}
	return names
}
