package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// checkFiles finds files of the workbench that decide what is run and that others can change.
// On Windows the mode of a file does not show that.
func checkFiles(_ context.Context, d *Doctor) []Finding {
	if runtime.GOOS == "windows" {
		return nil
	}
	var findings []Finding
	path := d.configuration.Path
	for _, file := range []string{path, lockfile.Beside(path).Path()} {
		if found := exposure(file); found != "" {
			findings = append(findings, Finding{
				codeWritable, file, found, domain.QuotedCommand("chmod go-w "+domain.ShellWord(file)) + " keeps others from changing it, and 'chown' makes it yours",
			})
		}
	}
	if finding, ok := openFolder(path, true); ok {
		findings = append(findings, finding)
	}
	folder := d.surroundings.StateFolder
	if folder == "" {
		return findings
	}
	if found := safefile.PathExposure(folder); found != "" {
		findings = append(findings, Finding{
			codeWritable, folder, found + ", so packages in the state folder do not start, and everything else in it is ignored",
			"make the named path yours alone with 'chown' and 'chmod go-w'; 'mcp-workbench help troubleshooting' says more",
		})
	}
	return findings
}

// exposure says who else can change a file, or returns "".
func exposure(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return decides(safefile.Exposure(info))
}

// decides says what an exposure of the configuration means, if there is one.
func decides(exposure string) string {
	if exposure == "" {
		return ""
	}
	return exposure + ": they decide what is run"
}

// openFolder finds the nearest folder above a file in which others can replace the file: its
// own folder, and those above it within the home directory; folders above that belong to the
// system. With strict, the group and the owner of the file's own folder count as others too.
func openFolder(file string, strict bool) (Finding, bool) {
	if resolved, err := filepath.EvalSymlinks(file); err == nil {
		file = resolved
	}
	home, _ := os.UserHomeDir() // without one, only the file's own folder counts
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil {
			return Finding{}, false
		}
		found := ""
		switch {
		case strict:
			found = decides(safefile.Exposure(info))
		case changeableByAll(info):
			found = "every user on this machine can change the folder"
		}
		if found != "" {
			return Finding{codeWritable, folder, fmt.Sprintf("%s, and with it %s", found, file), domain.QuotedCommand("chmod go-w " + domain.ShellWord(folder))}, true
		}
		if strict = false; home == "" || !strings.HasPrefix(folder, home+string(filepath.Separator)) {
			return Finding{}, false
		}
	}
}

// changeableByAll reports whether every user can change a file, or replace what is in a
// folder. In a sticky folder, such as /tmp, only owners can.
func changeableByAll(info fs.FileInfo) bool {
	const others = 0o002
	return info.Mode()&others != 0 && (!info.IsDir() || info.Mode()&fs.ModeSticky == 0)
}
