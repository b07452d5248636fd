package stdio

import "strings"

// parentVariables are those that an editor, a runtime or a shell sets for its own children, in upper case, with
// the reason why they harm a server. A "*" stands for any ending.
//
// Decision: a variable that users set themselves too, such as PYTHONPATH or ELECTRON_MIRROR, is not one of them.
var parentVariables = []struct {
	reason string
	names  []string
}{
	{"a debugger of an editor loads its code into every Node program", []string{"NODE_OPTIONS", "NODE_INSPECT_RESUME_ON_START"}},
	{"a program of Electron runs as plain Node, or loads other code", []string{
		"ELECTRON_RUN_AS_NODE", "ELECTRON_NO_ATTACH_CONSOLE", "ELECTRON_NO_ASAR", "ELECTRON_FORCE_IS_PACKAGED",
	}},
	{"they name pipes and windows of the editor", []string{"VSCODE_*", "CURSOR_TRACE_ID"}},
	{"they name a pipe to a parent that the server does not have", []string{"NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "NODE_UNIQUE_ID"}},
	{"the coverage of another program would be written over", []string{"NODE_V8_COVERAGE"}},
	{"the debugger of an editor waits for every Python program", []string{"PYDEVD_*", "DEBUGPY_*", "BUNDLED_DEBUGPY_PATH"}},
	{"npm sets them for the package that it runs: the next npx would run that again, or look for it there", []string{
		"NPM_CONFIG_PACKAGE", "NPM_CONFIG_CALL", "NPM_CONFIG_LOCAL_PREFIX", "NPM_CONFIG_USER_AGENT", "NPM_LIFECYCLE_*", "NPM_PACKAGE_*",
		"NPM_COMMAND", "NPM_EXECPATH", "NPM_NODE_EXECPATH", "INIT_CWD",
	}},
	{"uv counts how often it runs itself", []string{"UV_RUN_RECURSION_DEPTH"}},
	{"Claude Code refuses to start below itself", []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"}},
	{"the image of an editor would be taken for that of the server", []string{"APPIMAGE", "APPDIR", "ARGV0", "OWD", "CHROME_DESKTOP"}},
	{"they hold the environment that a shell had or has, with its secrets, in coded form", []string{
		"DIRENV_DIFF", "DIRENV_WATCHES", "__MISE_DIFF", "__MISE_SESSION", "__MISE_ORIG_PATH",
	}},
}

// isOfParent reports whether a program sets the variable for its own children. The case of its name does not count for
// those of npm, which reads its variables in both.
func (v variables) isOfParent(name string) bool {
	folded := v.fold(name)
	if strings.HasPrefix(strings.ToUpper(name), "NPM_") {
		folded = strings.ToUpper(name)
	}
	for _, parent := range parentVariables {
		for _, pattern := range parent.names {
			if begin, isPrefix := strings.CutSuffix(pattern, "*"); folded == pattern || isPrefix && strings.HasPrefix(folded, begin) {
				return true
			}
		}
	}
	return false
}
