package packages

import (
	"path"
	"slices"
	"strings"
)

// Kind is where the package of a launcher comes from.
type Kind int

// The kinds of launchers.
const (
	// NotPinned is everything whose package cannot be pinned; Launch.Reason says why.
	NotPinned Kind = iota
	// Program is a program of this machine: there is nothing to pin.
	Program
	// NPM is npx and 'npm exec'.
	NPM
	// PyPI is uvx and 'uv tool run'.
	PyPI
)

// Launch is what the command of a server starts, as far as its words say.
type Launch struct {
	Kind Kind
	// Package is the name of the package, with its scope and without its version.
	Package string
	// Wanted is the version, range or tag as it is written, "" for the newest.
	Wanted string
	// Program is the program of the package that is named, "" for the package's own.
	Program string
	// Args are the arguments of the server itself.
	Args []string
	// Reason says of a launcher that is not pinned why that is so. It quotes no argument,
	// only names of launchers and options.
	Reason string

	options []string // of npm, in the form in which npm takes them
	before  []string // uvx: the words before the package and its option, subcommands included
	extras  string   // uvx: "[a,b]" of the package
}

// Parse reads the command of a server: the programs npx, npm, uvx and uv, by name or by
// path, also through "cmd /c". It reads nothing but these words, and never fails.
// Options that it does not know make a launch one that is not pinned, since they may
// change what is started.
//
// How npx and npm tell their own options from the server's is read from their code
// (bin/npx-cli.js and libnpmexec of npm 11); for uvx it is https://docs.astral.sh/uv/reference/cli/#uv-tool-run.
func Parse(command string, args []string) Launch {
	name, through := programName(command), false
	var wrapper []string
	if name == "cmd" {
		at := slices.IndexFunc(args, func(arg string) bool { return strings.EqualFold(arg, "/c") })
		if at < 0 || at+1 >= len(args) || !areSwitches(args[:at]) {
			return parseOther(name, args)
		}
		wrapper = args[:at+2]
		name, args, through = programName(args[at+1]), args[at+2:], true
	}
	launch := parseLauncher(name, args)
	if through && launch.Kind == Program {
		return parseOther("cmd", append([]string{name}, args...))
	}
	if through && launch.Package != "" && slices.ContainsFunc(args, cmdInterprets) {
		return notPinned("cmd.exe would interpret its arguments; leave \"cmd /c\" out, the workbench starts " + name + " without it")
	}
	if launch.Kind == PyPI {
		launch.before = slices.Concat(wrapper, launch.before)
	}
	return launch
}

func parseLauncher(name string, args []string) Launch {
	switch name {
	case "npx":
		return parseNPX(args)
	case "npm":
		return parseNPM(args)
	case "uvx":
		return parseUVX(nil, args)
	case "uv":
		if len(args) >= 2 && args[0] == "tool" && args[1] == "run" {
			return parseUVX(args[:2], args[2:])
		}
		return notPinned("only 'uv tool run' starts a package that can be pinned")
	case "docker", "podman", "nerdctl":
		if slices.ContainsFunc(args, isImageByDigest) {
			return Launch{Kind: Program} // which always is the same one
		}
		return notPinned("an image is pinned by its digest: name it as IMAGE@sha256:… in the arguments")
	case "bunx", "bun", "pnpx", "pnpm", "yarn", "deno", "pipx", "dnx", "jbang":
		return notPinned("packages are pinned for npx and uvx, not for " + name)
	}
	return parseOther(name, args)
}

// parseOther reads the command of a program that is no launcher, and may start one.
func parseOther(name string, args []string) Launch {
	if launcher := wrapped(name, args); launcher != "" {
		return notPinned(name + " starts " + launcher + ", and a package is pinned only where the command itself is npx or uvx")
	}
	if fetches(name, args) {
		return notPinned("packages are pinned for npx and uvx, not for what " + name + " fetches")
	}
	return Launch{Kind: Program}
}

// isImageByDigest reports whether an argument names an image by what is in it
// (https://docs.docker.com/reference/cli/docker/image/pull/).
func isImageByDigest(arg string) bool {
	image, digest, ok := strings.Cut(arg, "@sha256:")
	return ok && image != "" && image[0] != '-' && !strings.Contains(image, "=") &&
		len(digest) == 64 && strings.Trim(digest, "0123456789abcdef") == ""
}

// Spec is the package as it is asked for: "@scope/name@^1.2", "name" for the newest one.
// What was pinned for one spec says nothing about another.
func (l Launch) Spec() string {
	switch {
	case l.Wanted == "":
		return l.Package + l.extras
	case l.Kind == PyPI && l.Wanted != "latest":
		return l.Package + l.extras + l.Wanted
	}
	return l.Package + l.extras + "@" + l.Wanted
}

func notPinned(reason string) Launch { return Launch{Reason: reason} }

// programName returns the name of a program without its folder and the extension
// that Windows adds.
func programName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, extension)
	}
	return name
}

// areSwitches reports whether all words are switches of cmd.exe that change nothing here.
func areSwitches(words []string) bool {
	for _, word := range words {
		if !slices.Contains([]string{"/d", "/s", "/q"}, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// cmdInterprets reports whether cmd.exe takes more than text for what is in a word.
func cmdInterprets(word string) bool { return strings.ContainsAny(word, "%^&|<>\"!\r\n") }
