package stdio

import (
	"path"
	"slices"
	"strings"
)

// launcher is a program that may have to download another one before it starts it.
type launcher struct {
	name string
	// verbs are the subcommands that download, nil if the program needs none.
	verbs []string
	// names are the options whose value is the package, takes the options whose value
	// is something else.
	names, takes []string
}

// launchers are the programs that download what they start.
var launchers = []launcher{
	{name: "npx", names: []string{"-p", "--package"}, takes: []string{"-c", "--call", "--registry"}},
	{name: "npm", verbs: []string{"exec", "x"}, names: []string{"-p", "--package"}, takes: []string{"-c", "--call", "--registry"}},
	{name: "pnpm", verbs: []string{"dlx"}, names: []string{"--package"}},
	{name: "pnpx", names: []string{"--package"}},
	{name: "yarn", verbs: []string{"dlx"}, names: []string{"-p", "--package"}},
	{name: "bunx", names: []string{"-p", "--package"}},
	{name: "bun", verbs: []string{"x"}, names: []string{"-p", "--package"}},
	{name: "uvx", names: []string{"--from"}, takes: uvOptions},
	{name: "uv", verbs: []string{"tool run"}, names: []string{"--from"}, takes: uvOptions},
	{name: "pipx", verbs: []string{"run"}, names: []string{"--spec"}, takes: []string{"--python", "--index-url", "-i", "--pip-args"}},
	{name: "docker", verbs: []string{"run", "container run"}, takes: dockerOptions},
	{name: "podman", verbs: []string{"run", "container run"}, takes: dockerOptions},
}

var uvOptions = []string{
	"--with", "--with-editable", "--with-requirements", "-p", "--python", "--index", "--index-url", "-i",
	"--extra-index-url", "--directory", "--project", "--cache-dir", "-c", "--constraints",
}

// dockerOptions are the common options that take a value.
var dockerOptions = []string{
	"-a", "--attach", "--add-host", "--cap-add", "--cap-drop", "--cidfile", "-c", "--cpus", "--dns", "-e", "--env",
	"--entrypoint", "--env-file", "--expose", "--gpus", "-h", "--hostname", "-l", "--label", "-m", "--memory", "--mount",
	"--name", "--net", "--network", "--pids-limit", "--platform", "-p", "--publish", "--pull", "--restart",
	"--security-opt", "--shm-size", "--tmpfs", "-u", "--user", "-v", "--volume", "-w", "--workdir",
}

// download returns the launcher and the package that a command may have to download,
// "" if it downloads nothing. Commands that return the same text must not download
// at the same time.
func download(command string, args []string) string {
	name := programName(command)
	if name == "cmd" && len(args) > 1 && strings.EqualFold(args[0], "/c") {
		name, args = programName(args[1]), args[2:]
	}
	for _, l := range launchers {
		if l.name != name {
			continue
		}
		if rest, ok := l.afterVerb(args); ok {
			return l.name + " " + l.packageIn(rest)
		}
	}
	return ""
}

// programName returns the name of a program without its folder and the extension
// that Windows adds.
func programName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, extension)
	}
	return name
}

func (l launcher) afterVerb(args []string) (rest []string, ok bool) {
	if l.verbs == nil {
		return args, true
	}
	for _, verb := range l.verbs {
		words := strings.Fields(verb)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return args[len(words):], true
		}
	}
	return nil, false
}

// packageIn returns the package in the arguments of the launcher, or all arguments if
// none of them is a package.
func (l launcher) packageIn(args []string) string {
	for i := 0; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		switch {
		case !strings.HasPrefix(option, "-"):
			return args[i]
		case slices.Contains(l.names, option) && joined:
			return value
		case slices.Contains(l.names, option) && i+1 < len(args):
			return args[i+1]
		case slices.Contains(l.takes, option) && !joined:
			i++
		}
	}
	return strings.Join(args, " ")
}
