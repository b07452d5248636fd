//go:build !windows

package stdio

// allowList is what programs need to find their home, language, caches and versions
// of their runtime. Proxy variables are not on it, since their values may contain
// credentials; a server that needs them names them in inheritEnv.
var allowList = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "TZ", "LANG",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"NVM_DIR", "VOLTA_HOME", "ASDF_DIR", "PYENV_ROOT",
}

const allowPrefix = "LC_"

func foldName(name string) string { return name }
