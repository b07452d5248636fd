package background

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/usersocket"
)

const (
	socketPrefix = "background-"
	socketSuffix = ".sock"
)

// Place is the place at which the background workbench of a configuration listens. Find returns it.
type Place struct {
	folders []string
	key     string
}

// variables are the environment variables that the process reads only once, for all its hosts, beside those of OpenTelemetry.
var variables = []string{
	"HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LocalAppData", "AppData", "GODEBUG",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"DBUS_SESSION_BUS_ADDRESS", "PASSWORD_STORE_DIR", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER",
}

// Find returns the place for a configuration. It is in the first of the folders that can be used. Another build of
// this program, or another configuration, has another place.
func Find(folders []string, configuration, version string) Place {
	parts := []string{configuration, version, fmt.Sprint(os.Geteuid())}
	program := programs.OwnPath()
	if info, err := os.Stat(program); err == nil {
		parts = append(parts, program, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
	}
	for _, name := range variables {
		parts = append(parts, name+"="+os.Getenv(name))
	}
	for _, entry := range slices.Sorted(slices.Values(os.Environ())) {
		if strings.HasPrefix(entry, "OTEL_") {
			parts = append(parts, entry)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return Place{folders: folders, key: hex.EncodeToString(sum[:10])}
}

// MayListen reports whether any background workbench may listen in the folders. If not, a host that starts none
// need not find its place.
func MayListen(folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		entries, _ := os.ReadDir(folder) // if that fails, no workbench is found in it
		return slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
			return strings.HasPrefix(entry.Name(), socketPrefix) && strings.HasSuffix(entry.Name(), socketSuffix)
		})
	})
}

func (p Place) name() string { return socketPrefix + p.key + socketSuffix }

// sockets returns the paths of existing sockets at which a background workbench may listen.
func (p Place) sockets() []string {
	var paths []string
	for _, folder := range p.folders {
		path := filepath.Join(folder, p.name())
		if _, err := os.Lstat(path); err == nil && usersocket.CheckFolder(folder) == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
