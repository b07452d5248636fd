package domain

import (
	"slices"
	"strings"
)

// CodeVariable returns how an environment variable affects the code that programs run or trust, as
// the end of a sentence: "names code that Node loads". It returns "" for a variable that is only
// data. It ignores case, as Windows does, except for "ENV".
func CodeVariable(name string) (decides string) {
	if name == "ENV" {
		return "names a file that shells run"
	}
	upper := strings.ToUpper(name)
	for _, variables := range codeVariables {
		if slices.Contains(variables.names, upper) {
			return variables.decides
		}
	}
	if slices.Contains(dataVariables, upper) {
		return ""
	}
	for _, family := range codeFamilies {
		if strings.HasPrefix(upper, family.begin) && !holdsSecret(upper) {
			return family.decides
		}
	}
	return ""
}

// EditorVariable returns what a name means to editors and plugins, and what to write instead, as the end of a sentence;
// "" for others. It is no variable of an environment.
func EditorVariable(name string) string {
	switch name {
	case "workspaceFolder", "workspaceRoot", "workspaceFolderBasename", "containerWorkspaceFolder", "localWorkspaceFolder", "extensionPath", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR", "pluginRoot",
		"__dirname", "extensionInstallFolder":
		return "is a folder that only an editor or a plugin knows; write that folder in its place"
	case "file", "fileBasename", "fileBasenameNoExtension", "fileDirname", "fileDirnameBasename", "fileExtname", "fileWorkspaceFolder",
		"fileWorkspaceFolderBasename", "relativeFile", "relativeFileDirname", "selectedText", "lineNumber", "columnNumber", "execPath", "defaultBuildTask":
		return "is what is open in an editor, which no server here can know; write a fixed value in its place"
	case "userHome":
		return "is the home folder in editors; write ${HOME}, or ${USERPROFILE} on Windows"
	}
	return ""
}

// holdsSecret reports whether a variable of a family is meant for a secret.
func holdsSecret(name string) bool {
	ends := []string{"TOKEN", "PASSWORD", "SECRET", "_AUTH", "USERNAME"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

const (
	forNode   = "names code that Node loads"
	forPython = "names code that Python loads"
	forRuby   = "names code that Ruby loads"
	forPerl   = "names code that Perl loads"
	forJava   = "names code that Java loads"
	forGit    = "names a program that git runs"
	forShells = "names code that shells run"
	forLoader = "names libraries that every program loads"
	forPeople = "names a program that other programs start"
	forTrust  = "names certificates that are trusted"
	forNet    = "names a proxy that sees the requests"
)

// codeVariables are single variables, in upper case, by their effect.
var codeVariables = []struct {
	decides string
	names   []string
}{
	{"names folders of programs", []string{"PATH"}},
	{"names what counts as a program", []string{"PATHEXT"}},
	{forShells, []string{"COMSPEC", "BASH_ENV", "PROMPT_COMMAND", "PS4", "SHELL", "ZDOTDIR", "SHELLOPTS"}},
	{forNode, []string{"NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "BUN_OPTIONS"}},
	{forTrust, []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}},
	{"decides whether certificates are checked", []string{"NODE_TLS_REJECT_UNAUTHORIZED"}},
	{"names code that OpenSSL loads", []string{"OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES"}},
	{forLoader, []string{"GCONV_PATH"}},
	{"changes how every program is loaded", []string{"GLIBC_TUNABLES"}},
	{forGit, []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PROXY_COMMAND", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR"}},
	{"names a program that ssh runs", []string{"SSH_ASKPASS"}},
	{"names a program that svn runs", []string{"SVN_SSH"}},
	{forPeople, []string{"PAGER", "EDITOR", "VISUAL", "BROWSER"}},
	{forRuby, []string{"RUBYOPT", "RUBYLIB", "GEM_PATH", "GEM_HOME", "BUNDLE_GEMFILE"}},
	{forPerl, []string{"PERL5OPT", "PERL5LIB", "PERL5DB", "PERLLIB"}},
	{forJava, []string{"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_HOME", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS"}},
	{"names code that .NET loads", []string{"DOTNET_STARTUP_HOOKS"}},
	{"names code that PHP loads", []string{"PHPRC", "PHP_INI_SCAN_DIR"}},
	{"names code that Lua loads", []string{"LUA_INIT", "LUA_PATH", "LUA_CPATH"}},
	{"changes how Go builds", []string{"GOFLAGS"}},
	{"names where Go fetches code", []string{"GOPROXY"}},
	{"names a program that Go runs", []string{"GOTOOLCHAIN"}},
	{"names a program that Cargo runs", []string{"RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN"}},
	{"names where containers run", []string{"DOCKER_HOST"}},
	{"names programs that Docker runs", []string{"DOCKER_CONFIG"}},
	{"names programs that kubectl runs", []string{"KUBECONFIG"}},
	{"names the folder of settings of programs", []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"}},
	{forNet, []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}},
}

// dataVariables are those of a family that name no code and no place of code, in upper case.
var dataVariables = []string{
	"PYTHONIOENCODING", "PYTHONUTF8", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER", "PYTHONHASHSEED", "PYTHONDEBUG",
	"PYTHONVERBOSE", "PYTHONOPTIMIZE", "PYTHONCOERCECLOCALE", "PYTHONLEGACYWINDOWSSTDIO", "PYTHONASYNCIODEBUG", "PYTHONNOUSERSITE", "PYTHONSAFEPATH",
	"NPM_CONFIG_UPDATE_NOTIFIER", "NPM_CONFIG_LOGLEVEL", "NPM_CONFIG_FUND", "NPM_CONFIG_AUDIT", "NPM_CONFIG_PROGRESS", "NPM_CONFIG_COLOR",
	"PIP_NO_INPUT", "PIP_QUIET", "PIP_DISABLE_PIP_VERSION_CHECK", "UV_NO_PROGRESS", "UV_HTTP_TIMEOUT", "UV_LINK_MODE",
}

// codeFamilies are variables by their prefix, in upper case.
var codeFamilies = []struct{ begin, decides string }{
	{"LD_", forLoader},
	{"DYLD_", forLoader},
	{"PYTHON", forPython},
	{"BASH_FUNC_", forShells},
	{"GIT_CONFIG", "sets what git does, including which programs it runs"},
	{"NPM_CONFIG_", "sets where npm fetches packages and what it runs"},
	{"PNPM_", "sets where pnpm fetches packages and what it runs"},
	{"YARN_", "sets where yarn fetches packages and what it runs"},
	{"UV_", "sets where uv fetches packages"},
	{"PIP_", "sets where pip fetches packages"},
	{"CARGO_", "sets where Cargo fetches packages and what it runs"},
	{"CORECLR_", "names code that .NET loads"},
	{"COR_", "names code that .NET loads"},
}
