package spec

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// ownHome gives a suite an empty home directory, so that no spec writes into folders of the user, and fails the suite
// if the workbench has written there, since every spec has a home directory of its own. The go command keeps the
// folders of the user. On Windows, where other variables decide, it does nothing.
func ownHome(t *testing.T) {
	caches, cachesErr := os.UserCacheDir()
	configs, configsErr := os.UserConfigDir()
	if runtime.GOOS == "windows" || cachesErr != nil || configsErr != nil {
		return
	}
	for name, path := range map[string]string{
		"GOPATH": build.Default.GOPATH, "GOCACHE": filepath.Join(caches, "go-build"), "GOENV": filepath.Join(configs, "go", "env"),
	} {
		if os.Getenv(name) == "" {
			t.Setenv(name, path)
		}
	}
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == "mcp-workbench" {
				// Packages that change files lock them for other processes there.
				if written, _ := os.ReadDir(path); len(written) == 1 && written[0].Name() == "changing" {
					return fs.SkipDir
				}
				t.Errorf("a spec started the workbench without a home directory of its own: it has written %s", path)
				return fs.SkipDir
			}
			return nil // what cannot be read was not written by a spec
		})
		_ = os.RemoveAll(home) // a process that ends late may still write there
	})
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "") // as if it were not set
	}
}
