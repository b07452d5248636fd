package packages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/domain"
)

// Pinned implements ports.Packages. An npm package is started as node with the file that npx would
// start, and with node_modules/.bin first in PATH, as npx does. Other variables that npx sets, npm_*
// and INIT_CWD, are not set. A Python package is started by the same command with
// "--from NAME==VERSION".
func (s *Store) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	launch, err := launchOf(server, pin.Kind, pin.Name)
	if err != nil {
		return domain.Server{}, err
	}
	if launch.Kind == domain.PackagePyPI {
		if !isPyVersion(pin.Version) {
			return domain.Server{}, fmt.Errorf("the lock has no version of the Python package %s", pin.Name)
		}
		for _, program := range []*domain.Program{&server.Traits.Program, &server.Shown.Program} {
			if launch := parse(*program); launch.Kind == domain.PackagePyPI {
				program.Args = launch.PinnedArgs(pin.Version)
			}
		}
		return server, nil
	}
	folder, installed, err := s.installationOf(pin)
	if err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s is not installed: %w", pin, err)
	}
	started, err := installed.entry(launch)
	if err != nil {
		return domain.Server{}, err
	}
	in := s.surroundingsOf(server)
	node, ok := in.find("node")
	if !ok {
		return domain.Server{}, fmt.Errorf("node, which runs the npm package %s, is not in PATH", pin)
	}
	if err := foreignModules(folder); err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s does not start: %w", pin, err)
	}
	if err := verify(folder, installed); err != nil {
		return domain.Server{}, fmt.Errorf("the npm package %s was changed after its installation, so it does not start: %w; "+
			"the user can find out why, and remove %s, so that the next start installs it again", pin, err, folder)
	}
	touch(folder)
	nodeArgs := append(started.NodeArgs, filepath.Join(folder, modules, filepath.FromSlash(pin.Name), started.File))
	for _, program := range []*domain.Program{&server.Traits.Program, &server.Shown.Program} {
		program.Command, program.Args = "node", slices.Concat(nodeArgs, parse(*program).Args)
	}
	path := filepath.Join(folder, modules, ".bin") + string(os.PathListSeparator) + variable(in.environ, "PATH")
	server.Traits.Program.Command = node
	server.Traits.Program.Env = withVariable(server.Traits.Program.Env, "PATH", path)
	return server, nil
}

// entry returns how to start the program of a launch.
func (m marker) entry(launch Launch) (entry, error) {
	files := bins{}
	for name, program := range m.Programs {
		files[name] = program.File
	}
	name, err := launch.program(files)
	if err != nil {
		return entry{}, err
	}
	started := m.Programs[name]
	if started.Problem != "" {
		return entry{}, fmt.Errorf("the program %s of the npm package %s@%s cannot be started: %s", name, m.Package, m.Version, started.Problem)
	}
	return started, nil
}

// withVariable returns variables with one of them set. A variable that is there keeps the spelling of its name.
func withVariable(variables map[string]string, name, value string) map[string]string {
	changed := map[string]string{name: value}
	for own, before := range variables {
		if sameName(own, name) {
			delete(changed, name)
			before = value
		}
		changed[own] = before
	}
	return changed
}
