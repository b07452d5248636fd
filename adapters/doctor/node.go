package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/searchpath"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// enginesOf returns the package that npx or node runs, and the versions of Node that it
// requires, "" when they are unknown on this machine.
func enginesOf(line launcher.Line, started domain.Program) (name, engines string) {
	if line.Program == "node" {
		return enginesAbove(line.Target(), started)
	}
	name, _, ok := launcher.NPMPackage(line.Target())
	if !ok {
		return "", ""
	}
	for _, file := range packageFiles(name, started) {
		if engines = enginesIn(file); engines != "" {
			return name, engines
		}
	}
	return name, ""
}

// packageFiles returns where npx may have a package, in the order in which it looks.
func packageFiles(name string, started domain.Program) []string {
	below := filepath.Join("node_modules", filepath.FromSlash(name), "package.json")
	files := []string{filepath.Join(started.Cwd, below)}
	cached, _ := filepath.Glob(filepath.Join(npmCache(), "_npx", "*", below)) // the pattern is valid
	slices.SortFunc(cached, func(a, b string) int { return modified(b).Compare(modified(a)) })
	files = append(files, cached...)
	if node := searchpath.Find(pathOf(started), "node"); node != "" {
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
	if info, err := os.Stat(path); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

// enginesAbove returns the package that the script of node belongs to, and the versions of
// Node that it wants.
func enginesAbove(script string, started domain.Program) (name, engines string) {
	if script == "" {
		return "", ""
	}
	if !filepath.IsAbs(script) {
		script = filepath.Join(started.Cwd, script)
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

// enginesIn returns the versions of Node that a package.json names, or "".
func enginesIn(path string) string {
	var manifest struct{ Engines struct{ Node string } }
	text, err := atomicfile.ReadFile(path)
	if err != nil || json.Unmarshal(text, &manifest) != nil {
		return ""
	}
	return manifest.Engines.Node
}
