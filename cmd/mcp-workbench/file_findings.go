package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/system/fileowner"
	"mcp-workbench/domain"
)

// examineFiles finds files by which others decide what is run, and secrets that others
// can read. On Windows the mode of a file does not tell.
//
// Decision: a program and its folder count when everybody can change them, and not for
// their group or owner, since package managers share those between the
// administrators of a machine.
func examineFiles(path string, toolboxes []domain.Toolbox) []finding {
	if runtime.GOOS == "windows" {
		return nil
	}
	var findings []finding
	files := []string{path, lockfile.Beside(path).Path()}
	for _, file := range files {
		if found := whoChanges(file); found != "" {
			findings = append(findings, finding{codeWritable, file, found, fmt.Sprintf("'chmod go-w %s' keeps it to you, and 'chown' makes it yours", domain.ShellWord(file))})
		}
	}
	if found, ok := openFolder(path, true); ok {
		findings = append(findings, found)
	}
	if state, err := stateDirectory(); err == nil {
		if found := fileowner.PathExposure(state); found != "" {
			findings = append(findings, finding{
				codeWritable, state, found + ", so packages in the state folder do not start, and everything else in it is ignored",
				"make what is named yours alone with 'chown' and 'chmod go-w'; 'mcp-workbench help troubleshooting' says more",
			})
		}
	}
	findings = append(findings, examinePrograms(toolboxes)...)
	return append(findings, examineSecrets(path, toolboxes)...)
}

// whoChanges says who else can change a file, "" for nobody.
func whoChanges(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return decides(fileowner.Exposure(info))
}

// decides says what an exposure of the configuration means, if there is one.
func decides(exposure string) string {
	if exposure == "" {
		return ""
	}
	return exposure + ", and so what is run"
}

// openFolder finds the nearest folder above a file in which others can put another file
// in its place: the one that it is in, and those above within the home directory, since
// what is above that belongs to the system. The folder of a strict file counts for its
// group and owner as well.
func openFolder(file string, strict bool) (finding, bool) {
	if resolved, err := filepath.EvalSymlinks(file); err == nil {
		file = resolved
	}
	home, _ := os.UserHomeDir() // without one, one folder counts
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil {
			return finding{}, false
		}
		found := ""
		switch {
		case strict:
			found = decides(fileowner.Exposure(info))
		case changeableByAll(info):
			found = "everybody on this machine can change the folder"
		}
		if found != "" {
			return finding{codeWritable, folder, fmt.Sprintf("%s, and with it %s", found, file), fmt.Sprintf("'chmod go-w %s'", domain.ShellWord(folder))}, true
		}
		if strict = false; home == "" || !strings.HasPrefix(folder, home+string(filepath.Separator)) {
			return finding{}, false
		}
	}
}

// changeableByAll reports whether everybody can change a file, or replace what is in a
// folder: a sticky one, such as /tmp, lets only owners do that.
func changeableByAll(info fs.FileInfo) bool {
	const everybody = 0o002
	return info.Mode()&everybody != 0 && (!info.IsDir() || info.Mode()&fs.ModeSticky == 0)
}

// examinePrograms finds programs and scripts of servers that everybody can change.
func examinePrograms(toolboxes []domain.Toolbox) []finding {
	var findings []finding
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			for _, program := range programsOf(server) {
				info, err := os.Stat(program)
				if err != nil {
					continue
				}
				found, ok := openFolder(program, false)
				if changeableByAll(info) {
					found, ok = finding{codeWritable, program, "everybody on this machine can change the program", fmt.Sprintf("'chmod go-w %s'", domain.ShellWord(program))}, true
				}
				if ok {
					found.About = server.Secrets.Redact(found.About)
					found.Found = server.Secrets.Redact(found.Found) + ", which " + placeOf(server.ID) + " runs"
					found.Mend = server.Secrets.Redact(found.Mend)
					findings = append(findings, found)
				}
			}
		}
	}
	return findings
}

// scripts are the ends of names of files that an interpreter runs.
var scripts = []string{".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb"}

// programsOf returns the program of a server, and a script that it is told to run.
func programsOf(server domain.Server) []string {
	launch := launchOf(server)
	if launch.Command == "" {
		return nil
	}
	program := launch.Command
	if !filepath.IsAbs(program) {
		program = findIn(launch.path(), program)
	}
	programs := []string{program}
	for _, arg := range launch.Args {
		if filepath.IsAbs(arg) && slices.Contains(scripts, strings.ToLower(filepath.Ext(arg))) {
			programs = append(programs, arg)
		}
	}
	return programs
}

// launch is how a server's program is started, as far as the doctor looks at it.
type launch struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Cwd     string            `json:"cwd"`
}

// launchOf returns how a server is started, nothing for one that is none of a program's
// or lacks a variable.
func launchOf(server domain.Server) launch {
	var l launch
	// Settings of another transport may be of any shape.
	if server.Unset != nil || json.Unmarshal(server.Settings, &l) != nil {
		return launch{}
	}
	return l
}

// path returns the PATH in which the program is found.
func (l launch) path() string {
	for name, value := range l.Env {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return os.Getenv("PATH")
}

// examineSecrets finds secrets in plain text in a configuration that everybody can read.
func examineSecrets(path string, toolboxes []domain.Toolbox) []finding {
	if !readableByAll(path) {
		return nil
	}
	var secrets []string
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			var settings hostfiles.Settings
			if json.Unmarshal(server.Configured, &settings) != nil {
				continue // another transport's
			}
			s := hostfiles.Server{Name: string(server.ID.Server), Settings: settings}
			for _, secret := range s.Secrets() {
				secrets = append(secrets, fmt.Sprintf("%s.%s of %s", secret.Key, secret.Name, placeOf(server.ID)))
			}
			if settings.HasInlineSecrets() {
				secrets = append(secrets, "an argument or the address of "+placeOf(server.ID))
			}
		}
	}
	if len(secrets) == 0 {
		return nil
	}
	return []finding{{
		codeReadable, path, "everybody on this machine can read what looks like secrets: " + strings.Join(secrets, ", "),
		fmt.Sprintf("'chmod 600 %s', or write \"${NAME}\" in their place", domain.ShellWord(path)),
	}}
}

// readableByAll reports whether everybody can read a file: its mode and every folder
// above it allow it.
func readableByAll(path string) bool {
	const read, enter = 0o004, 0o001
	info, err := os.Stat(path)
	if err != nil || info.Mode()&read == 0 {
		return false
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&enter == 0 {
			return false
		}
		if folder == filepath.Dir(folder) {
			return true
		}
	}
}
