package hostfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/application/setup"
)

// MaxFile is the maximum size of a host's file in bytes.
const MaxFile = 16 << 20

// Read returns the servers in a host's file, in its order. A missing file has none.
//
// Failures: those of reading the file; textedit.ErrSyntax. None shows a value.
func Read(file File) ([]setup.Server, error) {
	text, err := LoadIfThere(file.Path)
	if err != nil || text == nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse returns the servers in the text of a host's file.
func Parse(file File, text []byte) ([]setup.Server, error) {
	members, err := file.read(text)
	if err != nil {
		return nil, err
	}
	file.inputs = inputsIn(text)
	servers := make([]setup.Server, 0, len(members))
	for _, member := range members {
		servers = append(servers, translate(file, member))
	}
	file.switchOff(servers, text)
	file.applyRules(servers)
	return servers, nil
}

// Load returns the text of a file, which must not be larger than MaxFile.
func Load(path string) ([]byte, error) { return safefile.ReadUpTo(path, MaxFile) }

// LoadIfThere is Load for a file that may not exist, whose text is nil. That of an empty file is not.
func LoadIfThere(path string) ([]byte, error) {
	text, err := Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// source is a server as a host wrote it.
type source struct {
	file    File
	members map[string]json.RawMessage
	notes   []string
	// known are the members that were looked at.
	known map[string]bool
	// lost are the settings that reach the server in the host and cannot be translated.
	lost map[string]string
	// confirm are the tools about which the host asks.
	confirm []string
	// isBroken is true if the server cannot be used without one of them.
	isBroken bool
}

func newSource(members map[string]json.RawMessage) *source {
	return &source{members: members, known: map[string]bool{}}
}

// translate turns a server of a host's file into one with the workbench's settings.
func translate(file File, member textedit.Member) setup.Server {
	server := setup.Server{File: file.Source, Name: member.Name}
	host, isKnown := Find(file.Host)
	server.File.NoReferences = isKnown && !host.PassesOn(Entry{})
	s := newSource(nil)
	s.file = file
	if err := json.Unmarshal(member.Value, &s.members); err != nil {
		server.Notes = []string{"it is not an object, so there is nothing to import"}
		return server
	}
	if file.form.expand == nil && bytes.Contains(member.Value, []byte("${")) {
		s.note(`a value contains "${", which the workbench expands and the host does not`)
	}
	_ = json.Unmarshal(s.members["description"], &server.Description) // anything but a text describes nothing
	server.Settings = s.settings(file.form)
	if file.form.expand != nil {
		s.expand(&server.Settings, file.form.expand)
	}
	if host.tilde {
		file.machine.referToHome(&server.Settings)
	}
	if directory := file.project; directory != "" && server.Settings.Command != "" && server.Settings.Cwd == "" {
		server.Settings.Cwd = directory // where the host starts it
	}
	if file.project != "" && isRelative(server.Settings.Cwd) {
		server.Settings.Cwd = filepath.Join(file.project, server.Settings.Cwd)
	}
	if folder := file.relativeTo(server.Settings); folder != "" {
		server.Settings.Cwd = filepath.Join(folder, server.Settings.Cwd)
		s.note(`its relative paths are taken to be in the folder of the file, which "cwd" names`)
	}
	switch isNone := server.Settings.Command == "" && server.Settings.URL == ""; {
	case isNone && file.form == zedForm:
		s.note("an extension of Zed starts it")
	case !isNone:
		s.leaveOut()
	}
	server.Notes, server.Settings.Untranslated, server.IsBroken = s.notes, s.lost, s.isBroken
	return server
}

// leaveOut notes the members that no setting has.
func (s *source) leaveOut() {
	for _, key := range slices.Sorted(maps.Keys(s.members)) {
		why, reachesServer := leftOut(key)
		if value := string(s.members[key]); why == "" || s.known[key] || value == "{}" || value == "null" {
			continue
		}
		s.note("%q %s", key, why)
		if reachesServer {
			s.lose(key, string(s.members[key]))
		}
	}
}

// relativeTo returns the folder of a file whose host is not known if its server has a relative path, or a relative
// folder, otherwise "".
func (f File) relativeTo(settings setup.Settings) string {
	folder := filepath.Dir(f.Path)
	if f.Host != "" || f.project != "" || !filepath.IsAbs(folder) || settings.Command == "" {
		return ""
	}
	if settings.Cwd != "" {
		if isRelative(settings.Cwd) {
			return folder
		}
		return ""
	}
	if strings.ContainsAny(settings.Command, `/\`) && isRelative(settings.Command) {
		return folder
	}
	for _, arg := range settings.Args {
		info, err := os.Stat(filepath.Join(folder, arg))
		isFile := err == nil && info.Mode().IsRegular()
		if strings.HasPrefix(filepath.ToSlash(arg), "./") || strings.HasPrefix(filepath.ToSlash(arg), "../") || isFile && isRelative(arg) {
			return folder
		}
	}
	return ""
}

// isRelative reports whether a path depends on the folder that a program is started in.
func isRelative(path string) bool {
	return path != "" && !filepath.IsAbs(path) && !strings.ContainsAny(path[:1], `/\~$%-`) && (len(path) < 2 || path[1] != ':')
}

func (s *source) lose(key, value string) {
	if s.lost == nil {
		s.lost = map[string]string{}
	}
	s.lost[key] = value
}

func (s *source) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(s.notes, line) {
		s.notes = append(s.notes, line)
	}
}
