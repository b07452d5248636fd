package doctor

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
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
		if found, ok := readManifest(file); ok {
			return name, found.Engines.Node
		}
	}
	return name, ""
}

// packageFiles returns where npx may have a package, in the order in which it looks.
func packageFiles(name string, started domain.Program) []string {
	below := filepath.Join("node_modules", filepath.FromSlash(name), "package.json")
	files := []string{filepath.Join(started.Cwd, below)}
	cached, _ := filepath.Glob(filepath.Join(npmCache(), "_npx", "*", below)) // the pattern is valid
	slices.SortFunc(cached, func(a, b string) int { return modificationTime(b).Compare(modificationTime(a)) })
	files = append(files, cached...)
	if node := programs.Find(pathOf(started), "node"); node != "" {
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

func modificationTime(path string) time.Time {
	if info, err := os.Stat(path); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

// enginesAbove returns the package that the script of node belongs to, and the versions of Node that it wants. The
// project in which the package is installed may want others.
func enginesAbove(script string, started domain.Program) (name, engines string) {
	if script == "" {
		return "", ""
	}
	if !filepath.IsAbs(script) {
		script = filepath.Join(started.Cwd, script)
	}
	for folder := filepath.Dir(script); filepath.IsAbs(folder); folder = filepath.Dir(folder) {
		// A manifest without both only says how the files below it are written.
		if found, ok := readManifest(filepath.Join(folder, "package.json")); ok && (found.Name != "" || found.Engines.Node != "") {
			return cmp.Or(domain.ShownText(found.Name), filepath.Base(folder)), found.Engines.Node
		}
		if folder == filepath.Dir(folder) || filepath.Base(filepath.Dir(folder)) == "node_modules" {
			break
		}
	}
	return "", ""
}

// manifest is a package.json.
type manifest struct {
	Name    string
	Engines struct{ Node string }
}

// readManifest reads a package.json, and reports whether there is one.
func readManifest(path string) (found manifest, ok bool) {
	text, err := safefile.ReadFile(path)
	return found, err == nil && json.Unmarshal(text, &found) == nil
}
