package stdio

import (
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// variables are the rules that a system has for environment variables.
type variables struct {
	// passed are the names of the variables that every server gets: with them programs find
	// their home, language, caches and the versions of their runtime.
	passed []string
	// fold returns a name in the form in which names are compared.
	fold func(name string) string
}

// network are the names of the variables by which every program reaches the network. Every server gets them, unless
// their value is a secret: the address of a proxy may have a login.
var network = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
}

// localePrefix is the prefix of further variables that set the language.
const localePrefix = "LC_"

func unixVariables() variables {
	return variables{
		passed: []string{
			"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "TZ", "LANG",
			"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
			"NVM_DIR", "VOLTA_HOME", "ASDF_DIR", "PYENV_ROOT",
		},
		fold: func(name string) string { return name },
	}
}

// windowsVariables has names in upper case, since Windows ignores the case of names.
func windowsVariables() variables {
	return variables{
		passed: []string{
			"ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432",
			"COMPUTERNAME", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LANG", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS", "PATH", "PATHEXT",
			"PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PUBLIC",
			"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "TZ", "USERDOMAIN", "USERNAME", "USERPROFILE", "WINDIR", "WSLENV", "WSL_UTF8",
			"NVM_HOME", "NVM_SYMLINK", "VOLTA_HOME", "PYENV", "PYENV_HOME", "PYENV_ROOT",
		},
		fold: strings.ToUpper,
	}
}

// pass reports whether every server gets the variable.
func (v variables) pass(name string) bool {
	folded := v.fold(name)
	return slices.Contains(v.passed, folded) || strings.HasPrefix(folded, localePrefix)
}

// same reports whether two names mean the same variable.
func (v variables) same(a, b string) bool { return v.fold(a) == v.fold(b) }

// has reports whether one of the names means the variable.
func (v variables) has(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return v.same(n, name) })
}

// lookup returns the value of a variable in an environment, "" if it is not there.
func (v variables) lookup(environment []string, name string) string {
	value := ""
	for _, entry := range environment {
		if n, found, ok := strings.Cut(entry, "="); ok && v.same(n, name) {
			value = found
		}
	}
	return value
}

// isNever reports whether no server gets a variable, whatever its settings: those of the workbench itself, and
// exported shell functions.
func (v variables) isNever(name, value string) bool {
	return name == "" || strings.HasPrefix(value, "()") || strings.HasPrefix(v.fold(name), "WORKBENCH_")
}

// childEnvironment returns the environment of a server: the variables of the workbench that it inherits, then its own,
// which replace others of the same name.
//
// Decision: "all" means the variables of parents too, and a list may name them.
func (v variables) childEnvironment(own []string, traits domain.Traits) []string {
	names := slices.Sorted(maps.Keys(traits.Program.Env))
	var result []string
	for _, entry := range own {
		name, value, ok := strings.Cut(entry, "=")
		if ok && !v.isNever(name, value) && !v.has(names, name) && v.inherits(traits, name, value) {
			result = append(result, entry)
		}
	}
	for _, name := range names {
		result = append(result, name+"="+traits.Program.Env[name])
	}
	return result
}

// inherits reports whether a server gets a variable of the workbench.
func (v variables) inherits(traits domain.Traits, name, value string) bool {
	switch {
	case traits.InheritsAll || v.pass(name) || v.has(traits.Inherits, name):
		return true
	case masking.IsSecretVariable(name, value) || v.isOfParent(name):
		return false
	case traits.InheritsLeast:
		return v.has(network, name)
	}
	isFolder := v.same(name, "PWD") || v.same(name, "OLDPWD") // of the workbench
	return !isFolder || traits.Program.Cwd == ""
}
