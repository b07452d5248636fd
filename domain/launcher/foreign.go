package launcher

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	ofWindows = regexp.MustCompile(`^([A-Za-z]):[\\/]((?:[^/].*)?)$`)
	mounted   = regexp.MustCompile(`^/mnt/([a-z])(/.*)?$`)
	ofLinux   = regexp.MustCompile(`^/(?:home|usr|opt|root|bin|etc|var)/`)
)

// Foreign says that a path belongs to the other side of WSL than this machine, and what to write instead; both are "" for any
// other path.
func (m Machine) Foreign(path string) (found, fix string) {
	if m.System == "windows" {
		if drive := mounted.FindStringSubmatch(path); drive != nil {
			written := strings.ToUpper(drive[1]) + ":" + strings.ReplaceAll(drive[2], "/", `\`)
			return "is a path of Windows as WSL names it", "write " + strconv.Quote(written)
		}
		if ofLinux.MatchString(path) {
			return "is a path of Linux", `to run it in WSL, write "command": "wsl", with the program as the first of "args"`
		}
		return "", ""
	}
	if drive := ofWindows.FindStringSubmatch(path); drive != nil {
		fix = "write a path of this system"
		if m.System == "linux" {
			fix = "write a path of this system, in WSL " + strconv.Quote("/mnt/"+strings.ToLower(drive[1])+"/"+strings.ReplaceAll(drive[2], `\`, "/"))
		}
		return "is a path of Windows", fix
	}
	return "", ""
}

// TakesPathsOf reports whether a program may take paths of the other side of WSL than this machine: a program of Windows
// that runs in WSL, one that starts another one, and one that has files of its own.
func (m Machine) TakesPathsOf(command string) bool {
	name := strings.ToLower(command)
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	line := Read(command, nil)
	switch line.Program {
	case "cmd", "powershell", "pwsh", "wsl", "wine", "wine64", "docker", "podman", "nerdctl", "ssh", "kubectl":
		return true
	}
	return false
}
