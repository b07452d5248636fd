package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is the name of what is packaged.
const program = "mcp-workbench"

// platforms are those that archives are built for, as GOOS/GOARCH.
var platforms = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64",
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: packaging DIRECTORY")
		os.Exit(2)
	}
	if err := release(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// release builds all archives into a directory, in the project's root, and then the
// file with their sums.
func release(ctx context.Context, directory string) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return fmt.Errorf("make the directory of the release: %w", err)
	}
	built, err := os.MkdirTemp("", "packaging")
	if err != nil {
		return fmt.Errorf("make a directory to build in: %w", err)
	}
	defer func() { _ = os.RemoveAll(built) }() // it is in the system's temporary directory
	version, err := version(ctx)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, platform := range platforms {
		name, data, err := archiveFor(ctx, platform, version, built)
		if err != nil {
			return fmt.Errorf("package for %s: %w", platform, err)
		}
		if err := os.WriteFile(filepath.Join(directory, name), data, 0o644); err != nil {
			return fmt.Errorf("write the archive: %w", err)
		}
		sums.WriteString(sumLine(name, data))
		fmt.Println(filepath.Join(directory, name))
	}
	if err := os.WriteFile(filepath.Join(directory, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return fmt.Errorf("write the sums: %w", err)
	}
	return nil
}

// version returns the tag of the commit, or "devel" with the commit when it has none or
// files differ from it.
func version(ctx context.Context) (string, error) {
	commit, err := git(ctx, "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "", err
	}
	changed, err := git(ctx, "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changed != "" {
		return "devel-" + commit + "+dirty", nil
	}
	if tag, err := git(ctx, "describe", "--tags", "--exact-match"); err == nil {
		return tag, nil
	}
	return "devel-" + commit, nil
}

func git(ctx context.Context, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", arguments...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", arguments[0], err)
	}
	return strings.TrimSpace(string(output)), nil
}

// archiveFor builds the program for a platform and returns its archive.
func archiveFor(ctx context.Context, platform, version, directory string) (name string, data []byte, err error) {
	system, architecture, _ := strings.Cut(platform, "/")
	file := program
	if system == "windows" {
		file += ".exe"
	}
	path := filepath.Join(directory, file)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -X main.release="+version, "-o", path, "./cmd/"+program)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", nil, fmt.Errorf("build: %w", err)
	}
	folder := strings.Join([]string{program, version, system, architecture}, "-")
	files, err := readFiles(folder, path, "LICENSE", "README.md")
	if err != nil {
		return "", nil, err
	}
	if system == "windows" {
		data, err = zipped(files)
		return folder + ".zip", data, err
	}
	data, err = tarred(files)
	return folder + ".tar.gz", data, err
}

// readFiles reads the files of an archive, the first of which is the program.
func readFiles(folder string, paths ...string) ([]packed, error) {
	files := make([]packed, len(paths))
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read what belongs to the archive: %w", err)
		}
		files[i] = packed{name: folder + "/" + filepath.Base(path), data: data, executable: i == 0}
	}
	return files, nil
}
