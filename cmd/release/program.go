package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// program is the name of the packaged program.
const program = "mcp-workbench"

// platform is a system and an architecture, by Go's names.
type platform struct{ System, Architecture string }

// platforms are the platforms of a release.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.System + "-" + p.Architecture }

// File returns the name of the program's file.
func (p platform) File() string {
	if p.System == "windows" {
		return program + ".exe"
	}
	return program
}

// NodeSystem returns the name of the system in Node.
func (p platform) NodeSystem() string {
	if p.System == "windows" {
		return "win32"
	}
	return p.System
}

// NodeArchitecture returns the name of the architecture in Node.
func (p platform) NodeArchitecture() string {
	if p.Architecture == "amd64" {
		return "x64"
	}
	return p.Architecture
}

// Node returns the platform in names of npm packages.
func (p platform) Node() string { return p.NodeSystem() + "-" + p.NodeArchitecture() }

// built is the program for a platform.
type built struct {
	platform

	data    []byte
	modules []*debug.Module
}

// errNoRevision means that the program would have other bytes than one that is built from the same commit in a
// clone. Go 1.26 records no revision in additional git worktrees of a clone.
var errNoRevision = errors.New("go records no revision of git here; make releases in a clone, not in a worktree of one")

// build builds the program for a platform.
func build(ctx context.Context, p platform, tag, directory string) (built, error) {
	path := filepath.Join(directory, p.String(), p.File())
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -X main.release="+tag, "-o", path, "./cmd/"+program)
	// The flags are recorded in the program, so those of the caller must not be used.
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+p.System, "GOARCH="+p.Architecture)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return built{}, fmt.Errorf("build for %s: %w", p, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return built{}, fmt.Errorf("read the program for %s: %w", p, err)
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return built{}, fmt.Errorf("read the modules of the program for %s: %w", p, err)
	}
	if !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }) {
		return built{}, errNoRevision
	}
	return built{platform: p, data: data, modules: info.Deps}, nil
}

// runProgram returns the output of the program for this machine, run with a separate home.
func runProgram(ctx context.Context, path string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, path, arguments...)
	home := filepath.Join(filepath.Dir(path), "home")
	command.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "LocalAppData=" + home, "NO_COLOR=1", "COLUMNS=80"}
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", program, strings.Join(arguments, " "), err)
	}
	return string(output), nil
}
