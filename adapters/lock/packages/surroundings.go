package packages

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
)

// surroundings are the environment of package managers for one server: the variables of the
// workbench, which configure the user's proxies and logins, and over them those of the server, which
// npx would get.
type surroundings struct {
	program domain.Program
	environ []string
	redact  func(text string) string
}

func (s *Store) surroundingsOf(server domain.Server) surroundings {
	environ := slices.Clone(s.environ)
	for name, value := range server.Traits.Program.Env {
		environ = append(environ, name+"="+value) // os/exec uses the last of equal names
	}
	return surroundings{program: server.Traits.Program, environ: environ, redact: server.Redact}
}

// sameName reports whether two names mean the same variable on this system.
func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// variable returns the value of a variable, "" for none.
func variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if n, value, ok := strings.Cut(entry, "="); ok && sameName(n, name) {
			return value
		}
	}
	return ""
}

// find finds a program in the PATH of the surroundings, or beside the launcher if the configuration
// has its absolute path.
func (s surroundings) find(name string) (string, bool) {
	path := programs.Find(variable(s.environ, "PATH"), name)
	if path == "" && filepath.IsAbs(s.program.Command) {
		path = programs.Find(filepath.Dir(s.program.Command), name)
	}
	return path, path != ""
}

// projectSettings returns the .npmrc that npx reads in the server's working directory, "" for none:
// that of the nearest folder above with a package.json or node_modules
// (https://docs.npmjs.com/cli/v11/configuring-npm/npmrc). A server without a configured working
// directory has none, since that of the host can be anything.
func (s surroundings) projectSettings() string {
	if !filepath.IsAbs(s.program.Cwd) {
		return ""
	}
	project := filepath.Clean(s.program.Cwd)
	for folder := project; ; folder = filepath.Dir(folder) {
		if exists(filepath.Join(folder, "package.json")) || exists(filepath.Join(folder, "node_modules")) {
			project = folder
			break
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	file := filepath.Join(project, ".npmrc")
	if !exists(file) {
		return ""
	}
	return file
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// forScripts are the variables for install scripts: those that programs need to find folders and to
// reach the network. Others can be secrets of other servers.
var forScripts = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "COMMONPROGRAMFILES", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE",
}

// withoutSecrets returns the surroundings of install scripts: the variables of the workbench in
// forScripts, and those of the server.
func (s surroundings) withoutSecrets() surroundings {
	var environ []string
	for _, entry := range s.environ {
		name, _, _ := strings.Cut(entry, "=")
		_, own := s.program.Env[name]
		passed := own || strings.HasPrefix(strings.ToLower(name), "npm_config_") ||
			slices.ContainsFunc(forScripts, func(other string) bool { return sameName(name, other) })
		if passed {
			environ = append(environ, entry)
		}
	}
	s.environ = environ
	return s
}
