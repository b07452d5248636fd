package packages

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain/launcher"
)

// npmAlways are the options of every call of npm. They override settings of the user that would change
// the contents of a lock file, and keep npm from printing and doing more than it should.
var npmAlways = []string{
	"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--color=false", "--loglevel=warn",
	"--location=project", "--no-dry-run", "--package-lock", "--lockfile-version=3", "--install-strategy=hoisted", "--bin-links",
	"--legacy-peer-deps=false", "--omit=dev", "--include=prod", "--include=optional", "--include=peer",
	"--no-workspaces", // otherwise npm searches the folders above for a workspace and obeys its settings
}

// withoutProjects are variables for a corepack that is installed as npm: it must not search the
// folders above for the npm to fetch (https://github.com/nodejs/corepack#environment-variables).
var withoutProjects = []string{"COREPACK_ENABLE_PROJECT_SPEC=0", "COREPACK_ENV_FILE=0"}

// npmResolves are the options of npx that say where packages come from. They also apply when npm
// resolves and installs.
var npmResolves = []string{
	"--registry", "--cache", "--userconfig", "--globalconfig", "--cafile", "--proxy", "--https-proxy", "--noproxy", "--before",
	"--fetch-timeout", "--fetch-retries", "--no-strict-ssl", "--offline", "--strict-ssl",
}

// npmOptions returns the options of a launch that are in npmResolves.
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

// npm finds npm. On Windows it returns the script behind npm.cmd, since cmd.exe would interpret
// the arguments.
func (s surroundings) npm() (program, error) {
	path, ok := s.find("npm")
	if !ok {
		return program{}, errors.New("npm is not in PATH; install Node (https://nodejs.org), which includes it")
	}
	if extension := strings.ToLower(filepath.Ext(path)); extension != ".cmd" && extension != ".bat" {
		return program{name: "npm", path: path}, nil
	}
	script := filepath.Join(filepath.Dir(path), "node_modules", "npm", "bin", "npm-cli.js")
	node, ok := s.find("node")
	if !ok || !exists(script) {
		return program{}, fmt.Errorf("npm at %s does not belong to an installation of Node; put the folder of one first in PATH", path)
	}
	return program{name: "npm", path: node, args: []string{script}}, nil
}

// unwritten is part of npm's warning about a file of a package that could not be written. npm
// continues after it and can even succeed.
const unwritten = "TAR_ENTRY_ERROR"

// runNPM runs npm in a folder.
func (s surroundings) runNPM(ctx context.Context, launch Launch, folder string, args ...string) error {
	output, err := s.outputOfNPM(ctx, launch, folder, args...)
	if err == nil && strings.Contains(output.stderr, unwritten) {
		err = &runError{name: "npm", err: errors.New("not every file was written"), stderr: output.stderr}
	}
	return err
}

// outputOfNPM runs npm in a folder, and returns what it prints.
func (s surroundings) outputOfNPM(ctx context.Context, launch Launch, folder string, args ...string) (printed, error) {
	npm, err := s.npm()
	if err != nil {
		return printed{}, err
	}
	s.environ = slices.Concat(s.environ, withoutProjects)
	return s.run(ctx, npm, folder, "", slices.Concat(npmAlways, launch.npmOptions(), args)...) // the last of repeated options counts
}

// registryOf returns the registryKey of the registry that has the package of a launch.
func (s surroundings) registryOf(launch Launch) string {
	scope, _, _ := strings.Cut(launch.Package, "/")
	if !strings.HasPrefix(scope, "@") {
		scope = ""
	}
	return s.registryKey("npm_config_", append(launch.npmOptions(), scope, s.projectSettings()))
}

// project makes a folder an npm project: it writes its dependencies, and links to the settings of
// the server's own project, which can contain a token.
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
	settings, err := safefile.ReadFile(file)
	if err != nil {
		return err // it may be a pipe, and npm would wait for its text
	}
	if os.Symlink(file, filepath.Join(folder, projectSettingsName)) == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(folder, projectSettingsName), settings, 0o600) // on Windows not every user can create links
}

const (
	// projectName is the project's name in every lock file, so that equal packages give equal bytes.
	projectName         = "mcp-workbench-server"
	projectSettingsName = ".npmrc"
)

// npmCodes explains codes of npm's errors. Messages quote npm's own text as well.
var npmCodes = map[string]string{
	"E404":         "the registry has no such package, or does not show it to users who are not logged in",
	"ETARGET":      "the registry has no version that fits",
	"E401":         "the registry requires a login; run 'npm login'",
	"E403":         "the registry refuses access",
	"ENOTFOUND":    "the registry cannot be reached",
	"EAI_AGAIN":    "the registry cannot be reached",
	"ECONNREFUSED": "the registry cannot be reached",
	"ECONNRESET":   "the registry cannot be reached",
	"ETIMEDOUT":    "the registry cannot be reached",
	"ENETUNREACH":  "the registry cannot be reached",
	"EHOSTUNREACH": "the registry cannot be reached",
	"FETCH_ERROR":  "the registry does not answer",
	"ENOTCACHED":   "npm is configured to work offline, and its cache does not have the package",
	"ENOSPC":       "the disk is full",
	"EROFS":        "the file system is read-only",
	"EACCES":       "npm has no permission to write there",
	"EINTEGRITY": "the registry has other bytes than when the version was locked: the release was changed under its number, " +
		"or something on the way changes downloads; nothing was installed",
	"EBADPLATFORM": "the package does not run on this system",
	"EBADENGINE":   "the package does not run with this version of Node",
	"EUSAGE":       "npm does not accept the lock file",
}

// npmFailure returns the error of a failed npm in words for users and models.
func (s surroundings) npmFailure(what string, err error) error {
	ran, ok := errors.AsType[*runError](err)
	if !ok || ran.stderr == "" {
		return failure(what, err)
	}
	if _, problem, found := strings.Cut(ran.stderr, unwritten); found {
		problem, _, _ = strings.Cut(problem, "\n")
		code, _, _ := strings.Cut(strings.TrimSpace(problem), ":")
		return fmt.Errorf("%s: %s (npm says: %s)", what, cmp.Or(npmCodes[code], "npm could not write every file"), quotation(s.redact(problem), nil, nil))
	}
	message := quotation(s.redact(ran.stderr), []string{"npm", "ERR!", "error", "404", "notarget", "notsup", "network"}, []string{"A complete log", "In most cases", "warn ", "WARN ", "code", "syscall", "errno", "at ", "type: "})
	for code, meaning := range npmCodes {
		if printedIn(ran, npmCode(code)) {
			return fmt.Errorf("%s: %s (npm says: %s)", what, meaning, message)
		}
	}
	return fmt.Errorf("%s: npm failed: %s", what, message)
}
