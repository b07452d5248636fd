package packages

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain/launcher"
)

// npmAlways are options of every call of npm. They undo what a person's settings may say
// and would change what is in a lock file, and keep npm from saying and doing more than
// it is asked.
var npmAlways = []string{
	"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--color=false", "--loglevel=warn",
	"--location=project", "--no-dry-run", "--package-lock", "--lockfile-version=3", "--install-strategy=hoisted", "--bin-links",
	"--legacy-peer-deps=false", "--omit=dev", "--include=prod", "--include=optional", "--include=peer",
	"--no-workspaces", // else npm looks above the project for one that it is a part of, and obeys the settings there
}

// withoutProjects are the variables that keep corepack, where it stands for npm, from looking above
// the project for which npm it is to fetch (https://github.com/nodejs/corepack#environment-variables).
var withoutProjects = []string{"COREPACK_ENABLE_PROJECT_SPEC=0", "COREPACK_ENV_FILE=0"}

// npmResolves are the options of npx that say where packages are from. npm resolves and installs
// with them, too.
var npmResolves = []string{
	"--registry", "--cache", "--userconfig", "--globalconfig", "--cafile", "--proxy", "--https-proxy", "--noproxy", "--before",
	"--fetch-timeout", "--fetch-retries", "--no-strict-ssl", "--offline", "--strict-ssl",
}

// npmOptions returns those options of a launch.
func (l Launch) npmOptions() []string {
	var options []string
	for _, option := range l.options {
		switch {
		case !slices.Contains(npmResolves, option.Name) && !launcher.IsScopedRegistry(option.Name):
		case option.HasValue:
			options = append(options, option.Name+"="+option.Value)
		default:
			options = append(options, option.Name)
		}
	}
	return options
}

// npm finds the machine's npm. On Windows it is the script behind npm.cmd, as cmd.exe
// would interpret arguments.
func (s surroundings) npm() (program, error) {
	path, ok := s.find("npm")
	if !ok {
		return program{}, errors.New("npm is not in PATH; install Node (https://nodejs.org), which comes with it")
	}
	if extension := strings.ToLower(filepath.Ext(path)); extension != ".cmd" && extension != ".bat" {
		return program{name: "npm", path: path}, nil
	}
	script := filepath.Join(filepath.Dir(path), "node_modules", "npm", "bin", "npm-cli.js")
	node, ok := s.find("node")
	if !ok || !exists(script) {
		return program{}, fmt.Errorf("npm at %s is no installation of Node's; put the folder of one first in PATH", path)
	}
	return program{name: "npm", path: node, args: []string{script}}, nil
}

// unwritten is in a warning of npm's that a file of a package could not be written. npm
// goes on then, and may end well.
const unwritten = "TAR_ENTRY_ERROR"

// runNPM runs npm in a folder.
func (s surroundings) runNPM(ctx context.Context, launch Launch, folder string, args ...string) error {
	npm, err := s.npm()
	if err != nil {
		return err
	}
	s.environ = slices.Concat(s.environ, withoutProjects)
	output, err := s.run(ctx, npm, folder, "", slices.Concat(npmAlways, launch.npmOptions(), args)...) // the last one counts
	if err == nil && strings.Contains(output.stderr, unwritten) {
		err = &runError{name: npm.name, err: errors.New("not every file was written"), stderr: output.stderr}
	}
	return err
}

// project writes the files that make a folder a project of npm's: what it depends on,
// and the settings of the server's own project, by a link, since they may hold a token.
func (s surroundings) project(folder string, dependencies map[string]string) error {
	text, err := json.MarshalIndent(struct {
		Name         string            `json:"name"`
		Private      bool              `json:"private"`
		Dependencies map[string]string `json:"dependencies,omitempty"`
	}{projectName, true, dependencies}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), append(text, '\n'), 0o600); err != nil {
		return err
	}
	file := s.projectSettings()
	if file == "" {
		return nil
	}
	settings, err := atomicfile.ReadFile(file)
	if err != nil {
		return err // npm would wait for the text of a pipe
	}
	if os.Symlink(file, filepath.Join(folder, projectSettingsName)) == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(folder, projectSettingsName), settings, 0o600) // on Windows not every user may make links
}

func removeProjectSettings(folder string) error {
	err := os.Remove(filepath.Join(folder, projectSettingsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

const (
	// projectName is the name of the project in a lock file, so that all are alike.
	projectName         = "mcp-workbench-server"
	projectSettingsName = ".npmrc"
)

// npmCodes are the codes of npm's errors that can be said in plain words. What is given
// on is npm's own text.
var npmCodes = map[string]string{
	"E404":         "the registry has no such package, or does not show it without a login",
	"ETARGET":      "the registry has no version that fits",
	"E401":         "the registry wants a login: 'npm login' makes one",
	"E403":         "the registry does not allow it",
	"ENOTFOUND":    "the registry cannot be reached",
	"EAI_AGAIN":    "the registry cannot be reached",
	"ECONNREFUSED": "the registry cannot be reached",
	"ECONNRESET":   "the registry cannot be reached",
	"ETIMEDOUT":    "the registry cannot be reached",
	"ENOTCACHED":   "npm is told to work offline, and does not have it in its cache",
	"ENOSPC":       "the disk is full",
	"EROFS":        "the file system is read-only",
	"EACCES":       "npm may not write there",
	"EINTEGRITY": "the registry has other bytes now than when the version was locked: somebody changed a release under its number, " +
		"or something between changes downloads; nothing was installed",
	"EBADPLATFORM": "the package does not run on this system",
	"EBADENGINE":   "the package does not run with this version of Node",
	"EUSAGE":       "npm does not take the lock file",
}

// npmFailure words what npm could not do for a person or a model.
func (s surroundings) npmFailure(what string, err error) error {
	var failed *runError
	switch {
	case !errors.As(err, &failed):
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return gaveUp(what, err)
		}
		return fmt.Errorf("%s: %w", what, err)
	case failed.stderr == "":
		return fmt.Errorf("%s: %w", what, err)
	}
	if _, problem, is := strings.Cut(failed.stderr, unwritten); is {
		problem, _, _ = strings.Cut(problem, "\n")
		code, _, _ := strings.Cut(strings.TrimSpace(problem), ":")
		return fmt.Errorf("%s: %s (npm says: %s)", what, cmp.Or(npmCodes[code], "npm could not write every file"), quoted(s.redact(problem), nil, nil))
	}
	said := quoted(s.redact(failed.stderr), []string{"npm", "ERR!", "error", "404", "notarget", "notsup", "network"}, []string{"A complete log", "In most cases", "warn ", "WARN ", "code", "syscall", "errno", "at ", "type: "})
	for code, meaning := range npmCodes {
		if strings.Contains(failed.stderr, "code "+code+"\n") || strings.Contains(failed.stderr, "code "+code+"\r") {
			return fmt.Errorf("%s: %s (npm says: %s)", what, meaning, said)
		}
	}
	return fmt.Errorf("%s: npm failed: %s", what, said)
}
