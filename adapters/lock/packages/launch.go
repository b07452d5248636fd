package packages

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// A Launch describes what the command line of a server starts.
type Launch struct {
	// Kind is the kind of the package, "" for a program on this machine, which has nothing to pin,
	// and for a package that cannot be pinned.
	Kind domain.PackageKind
	// Package is the name of the package, with its scope and without its version.
	Package string
	// Wanted is the version, range or tag as it is written, "" for the newest.
	Wanted string
	// Program is the program of the package that the command line names, "" for the default program.
	Program string
	// Args are the arguments of the server itself.
	Args []string
	// Reason is why the package of a launcher cannot be pinned, "" for others. It quotes names of
	// launchers and options, but no arguments.
	Reason string

	options []launcher.Option
	before  []string // uvx: the words before the package and its option, subcommands included
	extras  string   // uvx: "[a,b]" of the package
}

// Parse reads the command of a server. A package behind an unknown option cannot be pinned, since the
// option could change what is started.
func Parse(command string, args []string) Launch {
	line := launcher.Read(command, args)
	launch := launchOfLine(line)
	if line.ThroughCmd && launch.Package != "" && slices.ContainsFunc(args, cmdInterprets) {
		return notPinned("cmd.exe would interpret its arguments; leave \"cmd /c\" out, the workbench starts " + line.Program + " without it")
	}
	return launch
}

func parse(program domain.Program) Launch { return Parse(program.Command, program.Args) }

func launchOfLine(line launcher.Line) Launch {
	switch {
	case line.Wrapped != nil && !line.Launcher:
		return notPinned(line.Program + " starts " + domain.ProgramName(line.Wrapped[0]) + ", and a package is pinned only where the command itself is npx or uvx")
	case line.Fetches && !line.Launcher:
		return notPinned("packages are pinned for npx and uvx, not for what " + line.Program + " fetches")
	case !line.Launcher:
		return Launch{}
	}
	switch line.Program {
	case "npx":
		return pinnable(line, "npx", Launch.withNPMPackage)
	case "npm":
		if line.Fetches {
			return pinnable(line, "npm exec", Launch.withNPMPackage)
		}
		return notPinned("only 'npm exec' starts a package that can be pinned")
	case "uvx":
		return pinnable(line, "uvx", Launch.withPythonPackage)
	case "uv":
		if line.Fetches {
			return pinnable(line, "uvx", Launch.withPythonPackage)
		}
		return notPinned("only 'uv tool run' starts a package that can be pinned")
	case "docker", "podman", "nerdctl":
		if isImageByDigest(line.Target()) {
			return Launch{} // a digest pins it already
		}
		return notPinned("an image is pinned by its digest: name it as IMAGE@sha256:… in the arguments")
	}
	return notPinned("packages are pinned for npx and uvx, not for " + line.Program)
}

// pinnable returns the launch of a package if the options of the launcher are known. It calls read
// with the package as it is written on the command line.
func pinnable(line launcher.Line, name string, read func(l Launch, written string) Launch) Launch {
	for _, option := range line.Options {
		switch {
		case (line.Program == "npx" || line.Program == "npm") && (option.Name == "-c" || option.Name == "--call"):
			return notPinned("with '" + option.Name + "' npx runs a shell command, not one package")
		case !option.Known:
			return notPinned("the effect of the option '" + option.Name + "' is unknown")
		case option.LacksValue:
			return notPinned("the option '" + option.Name + "' has no value")
		}
	}
	l := Launch{options: line.Options, before: line.Before}
	switch {
	case len(line.Named) > 1:
		return notPinned(name + " with more than one package cannot be pinned")
	case len(line.Words) == 0:
		return notPinned(name + " is not told which package to start")
	case len(line.Named) == 1:
		l.Program = line.Words[0]
	}
	l.Args = line.Words[1:]
	return read(l, line.Target())
}

// withNPMPackage returns the launch with a package that is written as for npx.
func (l Launch) withNPMPackage(written string) Launch {
	name, wanted, ok := launcher.NPMPackage(written)
	if !ok {
		return notPinned("its package does not come from a registry by its name: a folder, a file, a URL, a repository or an alias has no version to pin")
	}
	l.Kind, l.Package, l.Wanted = domain.PackageNPM, name, wanted
	return l
}

// isImageByDigest reports whether an image is named by its digest
// (https://docs.docker.com/reference/cli/docker/image/pull/).
func isImageByDigest(image string) bool {
	name, digest, ok := strings.Cut(image, "@sha256:")
	return ok && name != "" && len(digest) == 64 && strings.Trim(digest, "0123456789abcdef") == ""
}

// Spec returns the requested package: "@scope/name@^1.2", "name" for the newest version. A pin for
// one spec is not used for another.
func (l Launch) Spec() string {
	switch {
	case l.Wanted == "":
		return l.Package + l.extras
	case l.Kind == domain.PackagePyPI && l.Wanted != "latest":
		return l.Package + l.extras + l.Wanted
	}
	return l.Package + l.extras + "@" + l.Wanted
}

func notPinned(reason string) Launch { return Launch{Reason: reason} }

// cmdInterprets reports whether a word has characters with a meaning for cmd.exe.
func cmdInterprets(word string) bool { return strings.ContainsAny(word, "%^&|<>\"!\r\n") }
