package hostfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain/textedit"
)

// maxFile is the size in bytes from which a file is nobody's list of servers.
const maxFile = 16 << 20

// Read returns the servers in a host's file, in its order. A file that does not exist
// has none.
//
// Failures: those of reading the file; textedit.ErrSyntax. None shows a value.
func Read(file File) ([]Server, error) {
	text, err := load(file.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse returns the servers in the text of a host's file.
func Parse(file File, text []byte) ([]Server, error) {
	members, err := file.read(text, file.member)
	if err != nil {
		return nil, fmt.Errorf("read the servers in %s: %w", file.Path, err)
	}
	servers := make([]Server, 0, len(members))
	for _, member := range members {
		servers = append(servers, translate(file, member))
	}
	return servers, nil
}

// AlsoIn returns the names of the servers in a host's file that are the same as one of
// others, except the one of the given name.
//
// Failures: those of Read.
func AlsoIn(file File, others []Settings, except string) ([]string, error) {
	servers, err := Read(file)
	var names []string
	for _, server := range servers {
		if server.Name != except && slices.ContainsFunc(others, server.Settings.IsSame) {
			names = append(names, server.Name)
		}
	}
	return names, err
}

// load reads a file that is not larger than any list of servers.
func load(path string) ([]byte, error) { return atomicfile.ReadUpTo(path, maxFile) }

// source is a server as a host wrote it.
type source struct {
	members map[string]json.RawMessage
	notes   []string
}

// translate turns a server of a host's file into the workbench's words.
func translate(file File, member textedit.Member) Server {
	server := Server{File: file.Source, Name: member.Name}
	host, known := Find(file.Host)
	server.File.NoReferences = known && !host.PassesOn()
	s := source{}
	if err := json.Unmarshal(member.Value, &s.members); err != nil {
		server.Notes = []string{"it is not an object, so there is nothing to take over"}
		return server
	}
	keys := file.form.keys()
	if s.isRemote() {
		keys = append(keys, file.form.loginKeys()...)
	}
	for _, key := range slices.Sorted(maps.Keys(s.members)) {
		if slices.Contains(keys, key) {
			continue
		}
		if why := leftOut(key); why != "" {
			s.note("%q %s", key, why)
		}
	}
	if (file.form == plain || file.form == codexForm) && bytes.Contains(member.Value, []byte("${")) {
		s.note(`a value holds "${", which the workbench takes for a variable and the host does not`)
	}
	server.Settings = s.settings(file.form)
	v := variables{form: file.form, project: file.projectDirectory(), note: s.note}
	v.translate(&server.Settings)
	if directory := file.projectDirectory(); directory != "" && server.Settings.Command != "" && server.Settings.Cwd == "" {
		server.Settings.Cwd = directory // where the host starts it
	}
	server.Notes = s.notes
	return server
}

func (s *source) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(s.notes, line) {
		s.notes = append(s.notes, line)
	}
}

// get decodes a member. One of another type is noted.
func get[T any](s *source, key string) (value T) {
	raw, there := s.members[key]
	if !there {
		return value
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		s.note("%q is not of the type that it should be and is left out", key)
		return *new(T)
	}
	return value
}
