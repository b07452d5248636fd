package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// The versions that the SDKs of MCP want, for packages that do not say what they want.
//
// Decision: only what is on this machine is read, never the network: the package in the
// project, in npm's cache of npx, or installed for all. uvx is not looked at, since uv
// fetches a Python that fits the package.
const (
	minNode   = ">=18"
	minPython = ">=3.10"
)

// runtimes finds programs that run packages and are too old for them.
type runtimes struct {
	versions map[string]programVersion
}

// examineRuntimes finds servers whose Node or Python is too old. It asks those for their
// versions, and starts no server.
func examineRuntimes(ctx context.Context, toolboxes []domain.Toolbox) []finding {
	r := &runtimes{versions: map[string]programVersion{}}
	var findings []finding
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			if found, ok := r.examine(ctx, server); ok {
				findings = append(findings, found)
			}
		}
	}
	return findings
}

func isPython(name string) bool {
	return name == "python" || name == "python3" || strings.HasPrefix(name, "python3.")
}

func (r *runtimes) examine(ctx context.Context, server domain.Server) (finding, bool) {
	l := launchOf(server)
	line := launcher.Read(l.Command, l.Args)
	var program, language, wanted, wants string
	switch {
	case line.Program == "npx", line.Program == "node":
		language, wanted, wants = "Node", minNode, "MCP servers in general want"
		program = line.Path
		if line.Program == "npx" {
			program = "node" // as its first line says
		}
		if name, engines := packageOf(line, l); engines != "" {
			wanted, wants = engines, name+" wants"
		}
	case isPython(line.Program):
		language, wanted, wants, program = "Python", minPython, "MCP servers in general want", line.Path
	default:
		return finding{}, false
	}
	if !filepath.IsAbs(program) {
		program = findIn(l.path(), program)
	}
	version, known := r.version(ctx, program)
	if !known || satisfies(version, wanted) {
		return finding{}, false
	}
	found := fmt.Sprintf("it runs with %s %d.%d.%d (%s), and %s %s", language, version[0], version[1], version[2], program, wants, wanted)
	return finding{
		codeRuntime, placeOf(server.ID), server.Secrets.Redact(found),
		fmt.Sprintf("install a newer %s, or put the folder of one in front: \"env\": {\"PATH\": \"…\"}", language),
	}, true
}

// version asks a program for its version.
func (r *runtimes) version(ctx context.Context, program string) (version programVersion, known bool) {
	if version, known := r.versions[program]; known || program == "" {
		return version, known
	}
	const patience = 10 * time.Second
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	printed, err := exec.CommandContext(limited, program, "--version").Output()
	if err != nil {
		return version, false // it is found when the server is started
	}
	version, given := parseVersion(string(printed))
	if given < 2 {
		return version, false
	}
	r.versions[program] = version
	return version, true
}

// packageOf returns the name of the package that npx or node runs and the Node that it
// wants, "" when that cannot be read here.
func packageOf(line launcher.Line, l launch) (name, engines string) {
	if line.Program == "node" {
		return enginesAbove(line.Target(), l)
	}
	name, _, ok := launcher.NPMPackage(line.Target())
	if !ok {
		return "", ""
	}
	for _, file := range packageFiles(name, l) {
		if engines = enginesIn(file); engines != "" {
			return name, engines
		}
	}
	return name, ""
}

// packageFiles returns where npx may have a package, in the order in which it looks.
func packageFiles(name string, l launch) []string {
	below := filepath.Join("node_modules", filepath.FromSlash(name), "package.json")
	files := []string{filepath.Join(l.Cwd, below)}
	cached, _ := filepath.Glob(filepath.Join(npmCache(), "_npx", "*", below)) // the pattern is right
	slices.SortFunc(cached, func(a, b string) int { return modified(b).Compare(modified(a)) })
	files = append(files, cached...)
	if node := findIn(l.path(), "node"); node != "" {
		files = append(files, filepath.Join(filepath.Dir(filepath.Dir(node)), "lib", below))
	}
	return files
}

// npmCache returns the folder of npm's cache (https://docs.npmjs.com/cli/v11/using-npm/config#cache).
func npmCache() string {
	if cache := os.Getenv("npm_config_cache"); cache != "" {
		return cache
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(os.Getenv("LocalAppData"), "npm-cache")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".npm")
}

func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// enginesAbove returns the name and the Node of the package that a script belongs to.
func enginesAbove(script string, l launch) (name, engines string) {
	if !filepath.IsAbs(script) {
		script = filepath.Join(l.Cwd, script)
	}
	for folder := filepath.Dir(script); filepath.IsAbs(folder); folder = filepath.Dir(folder) {
		if engines := enginesIn(filepath.Join(folder, "package.json")); engines != "" {
			return filepath.Base(folder), engines
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return "", ""
}

// enginesIn returns the versions of Node that a package.json names, "" for none.
func enginesIn(path string) string {
	text, err := atomicfile.ReadFile(path)
	if err != nil {
		return ""
	}
	var is struct{ Engines struct{ Node string } }
	if json.Unmarshal(text, &is) != nil {
		return ""
	}
	return is.Engines.Node
}
