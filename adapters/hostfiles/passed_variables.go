package hostfiles

import (
	"slices"

	"mcp-workbench/domain"
)

// PassesOn reports whether the host can pass a variable of its environment on to an entry: to a program,
// or in a header to an address.
func (h Host) PassesOn(entry Entry) bool {
	if entry.URL != "" {
		return h.Expands != nil || h.address.token != ""
	}
	return h.Expands != nil || h.Forwards || h.Inherits
}

// usualVariables are those that hosts pass to every server (the SDKs' defaults).
var usualVariables = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
}

// certificates are where programs look for certificates in place of the usual files.
var certificates = []string{"SSL_CERT_FILE", "SSL_CERT_DIR"}

// ownVariables are the variables that the workbench itself reads: the places of its files, proxies and certificates.
var ownVariables = slices.Concat([]string{
	"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
}, certificates)

// Needed returns the variables that a host does not pass on by default.
func Needed(variables []string) []string {
	return slices.DeleteFunc(slices.Clone(variables), func(name string) bool {
		return slices.Contains(usualVariables, name) || domain.EditorVariable(name) != ""
	})
}
