package packages

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"mcp-workbench/domain"
)

// Pinned implements ports.Packages. For a package of npm the program is node, with the
// file that npx would start, and node_modules/.bin comes first in PATH, as npx has it.
// Nothing else that npx adds to the environment is there: npm_* and INIT_CWD. For a
// Python package it is the same command with "--from NAME==VERSION".
func (s *Store) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	launch, err := launchOf(server, pin.Kind, pin.Name)
	if err != nil {
		return domain.Server{}, err
	}
	if launch.Kind == PyPI {
		if !isPyVersion(pin.Version) {
			return domain.Server{}, fmt.Errorf("the lock has no version of the Python package %s", pin.Name)
		}
		return rewritten(server, func(is *settings) {
			if launch := Parse(is.Command, is.Args); launch.Kind == PyPI {
				is.Args = launch.PinnedArgs(pin.Version)
			}
		})
	}
	folder, is, err := s.installed(pin)
	if err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s is not installed: %w", pin, err)
	}
	started, err := is.entry(launch)
	if err != nil {
		return domain.Server{}, err
	}
	in := s.surroundingsOf(server)
	node, ok := in.find("node")
	if !ok {
		return domain.Server{}, fmt.Errorf("node is not in PATH, which runs the npm package %s", pin)
	}
	if err := foreignModules(folder); err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s does not start: %w", pin, err)
	}
	if err := verify(folder, is); err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s is not as it was installed, so it does not start: %w; "+
			"the user can find out why, and remove %s, so that the next start installs it again", pin, err, folder)
	}
	touch(folder)
	nodeArgs := append(started.NodeArgs, filepath.Join(folder, modules, filepath.FromSlash(pin.Name), started.File))
	path := filepath.Join(folder, modules, ".bin") + string(os.PathListSeparator) + variable(in.environ, "PATH")
	pinned, err := rewritten(server, func(is *settings) {
		launch := Parse(is.Command, is.Args)
		is.Command = "node"
		is.Args = append(nodeArgs[:len(nodeArgs):len(nodeArgs)], launch.Args...)
	})
	if err != nil {
		return domain.Server{}, err
	}
	pinned.Settings, err = with(pinned.Settings, func(is *settings) {
		is.Command = node
		is.setVariable("PATH", path)
	})
	return pinned, err
}

// entry returns how the program of a launch is started.
func (m marker) entry(launch Launch) (entry, error) {
	all := programs{}
	for name, program := range m.Programs {
		all[name] = program.File
	}
	name, err := launch.program(all)
	if err != nil {
		return entry{}, err
	}
	started := m.Programs[name]
	if started.Problem != "" {
		return entry{}, fmt.Errorf("the program %s of the npm package %s@%s cannot be started: %s", name, m.Package, m.Version, started.Problem)
	}
	return started, nil
}

// setVariable sets a variable under the name that the settings have for it.
func (s *settings) setVariable(name, value string) {
	for own := range s.Env {
		if sameName(own, name) {
			name = own
		}
	}
	if s.Env == nil {
		s.Env = map[string]string{}
	}
	s.Env[name] = value
}

// rewritten returns a server whose settings were changed alike before and after
// variables were expanded.
func rewritten(server domain.Server, change func(*settings)) (domain.Server, error) {
	var err error
	if server.Settings, err = with(server.Settings, change); err != nil {
		return domain.Server{}, err
	}
	if server.Configured != nil {
		server.Configured, err = with(server.Configured, change)
	}
	return server, err
}

// with returns settings in which program, arguments and variables were changed. Every
// other member is as it was.
func with(raw json.RawMessage, change func(*settings)) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	var is settings
	if err := json.Unmarshal(raw, &is); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	change(&is)
	values := map[string]any{"command": is.Command, "args": is.Args}
	if is.Env != nil {
		values["env"] = is.Env
	}
	for key, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("write the settings: %w", err)
		}
		members[key] = text
	}
	return json.Marshal(members)
}
