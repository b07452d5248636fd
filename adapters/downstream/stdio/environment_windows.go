package stdio

import "strings"

// allowList is what programs need to start at all, and where they find their
// home and caches.
var allowList = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT",
	"PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP",
	"USERNAME", "USERPROFILE",
}

const allowPrefix = "LC_"

// foldName: variable names have no case there.
func foldName(name string) string { return strings.ToUpper(name) }
