package launcher

import (
	"slices"
	"strings"
)

// A grammar describes how programs parse their words.
type grammar struct {
	programs []string
	// verbs are the subcommands that fetch a package, and runs those that run something local. A
	// program with neither always fetches.
	verbs, runs []string
	// names are the options whose value is the package, values those whose value is something else,
	// and switches those without a value. Other options are unknown, and count as switches.
	names, values, switches []string
	// letters are the switches of one letter, which can be written as one word: "-it". If there are
	// any, an unknown option has a value.
	letters string
	// npm reports whether options can have any number of dashes, and mixed whether they can also
	// follow the package.
	npm, mixed bool
	// interpreter reports whether the program fetches nothing.
	interpreter bool
}

var grammars = []grammar{
	{programs: []string{"npx"}, names: packageNames, values: npmValues, switches: npmSwitches, npm: true},
	{programs: []string{"npm"}, verbs: []string{"exec", "x"}, names: packageNames, values: npmValues, switches: npmSwitches, npm: true, mixed: true},
	{programs: []string{"uvx"}, names: []string{"--from"}, values: uvValues, switches: uvSwitches},
	{programs: []string{"uv"}, verbs: []string{"tool run"}, runs: []string{"run"}, names: []string{"--from"}, values: uvValues, switches: uvSwitches},
	{programs: []string{"docker", "podman", "nerdctl"}, verbs: []string{"run", "container run"}, switches: dockerSwitches, letters: "dDiPqt"},
	{programs: []string{"pnpx", "bunx"}, names: packageNames},
	{programs: []string{"pnpm", "yarn"}, verbs: []string{"dlx"}, names: packageNames},
	{programs: []string{"bun"}, verbs: []string{"x"}, runs: []string{"run"}, names: packageNames},
	{programs: []string{"pipx"}, verbs: []string{"run"}, names: []string{"--spec"}, values: []string{"--python", "--index-url", "-i", "--pip-args"}},
	{programs: []string{"deno"}, runs: []string{"run"}},
	{programs: []string{"dnx", "jbang"}},
	{programs: []string{"node"}, interpreter: true, values: nodeValues},
	{programs: []string{"python", "python3", "py"}, interpreter: true, names: []string{"-m"}, values: []string{"-c", "-W", "-X"}},
	{programs: []string{"ruby", "perl", "php"}, interpreter: true, values: []string{"-e", "-I", "-r", "-d", "-M"}},
	{programs: []string{"sh", "bash", "dash", "ksh", "zsh"}, interpreter: true, switches: shellSwitches, letters: "abefhiklmnprtuvxBCEHPT"},
}

var (
	packageNames = []string{"-p", "--package"}
	nodeValues   = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-e", "--eval", "-p", "--print", "-C", "--conditions"}
	npmValues    = []string{
		"-c", "--call", "--loglevel", "--registry", "--cache", "--userconfig", "--globalconfig", "--cafile", "--proxy", "--https-proxy",
		"--noproxy", "--before", "--fetch-timeout", "--fetch-retries",
	}
	npmSwitches = []string{
		"--yes", "-y", "--quiet", "-q", "--silent", "-s", "--verbose", "-d", "--no-audit", "--no-fund", "--no-update-notifier",
		"--no-progress", "--no-color", "--ignore-scripts", "--prefer-online", "--prefer-offline", "--prefer-dedupe", "--no-prefer-online",
		"--no-strict-ssl", "--offline", "--strict-ssl",
	}
	uvValues = []string{
		"--with", "-w", "--with-editable", "--with-requirements", "--python", "-p", "--index", "--default-index",
		"--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--index-strategy", "--keyring-provider",
		"--constraints", "--constraint", "-c", "--overrides", "--override", "--build-constraints", "-b",
		"--env-file", "--cache-dir", "--directory", "--project", "--config-file", "--color", "--link-mode", "--exclude-newer",
		"--prerelease", "--resolution", "--python-preference", "--allow-insecure-host", "--refresh-package",
	}
	uvSwitches = []string{
		"--isolated", "--quiet", "-q", "--verbose", "-v", "--no-cache", "-n", "--offline", "--no-config", "--refresh", "--no-progress",
		"--native-tls", "--system-certs", "--no-index", "--no-env-file", "--managed-python", "--no-managed-python", "--no-python-downloads",
		"--compile-bytecode", "--no-build", "--no-build-isolation", "--no-sources", "--lfs",
	}
	shellSwitches  = []string{"--login", "--norc", "--noprofile", "--posix", "--restricted", "--verbose"}
	dockerSwitches = []string{
		"--debug", "--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init", "--interactive", "--no-healthcheck",
		"--no-hosts", "--oom-kill-disable", "--privileged", "--publish-all", "--quiet", "--read-only", "--read-only-tmpfs", "--remote",
		"--replace", "--rm", "--rmi", "--sig-proxy", "--tls", "--tlsverify", "--tls-verify", "--tty", "--use-api-socket",
	}
)

// grammarOf returns the grammar of a program, and whether there is one.
func grammarOf(program string) (grammar, bool) {
	i := slices.IndexFunc(grammars, func(g grammar) bool { return slices.Contains(g.programs, program) })
	if i < 0 {
		return grammar{}, false
	}
	return grammars[i], true
}

// option parses an option, and reports whether its value is the next word.
func (g grammar) option(word string) (o Option, takesNext bool) {
	name, value, joined := strings.Cut(word, "=")
	if g.npm {
		if name = strings.TrimLeft(name, "-"); len(name) == 1 {
			name = "-" + name
		} else {
			name = "--" + name
		}
	}
	o = Option{Name: name, Value: value, HasValue: joined}
	switch {
	case slices.Contains(g.names, name), slices.Contains(g.values, name), g.npm && IsScopedRegistry(name):
		o.Known, takesNext = true, true
	case slices.Contains(g.switches, name):
		o.Known = !joined || g.npm
	case g.letters != "" && strings.HasPrefix(name, "--"):
		takesNext = true
	case g.letters != "": // of "-ie" the e has a value, of "-eNAME" it is in the same word
		takesNext = len(strings.TrimLeft(name[1:], g.letters)) == 1
	}
	return o, takesNext && !joined
}

// IsScopedRegistry reports whether an option of npm sets the registry of a scope:
// "--@scope:registry".
func IsScopedRegistry(option string) bool {
	return strings.HasPrefix(option, "--@") && strings.HasSuffix(option, ":registry")
}
