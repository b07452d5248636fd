package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// Versions returns which version of its package the next start of a server runs, and the newest one in the package registry of the
// user, as npm and uv know it. It reports whether the server's launcher fetches a package by its name. After a failure, what is
// known without the registry is returned too.
func (s *Store) Versions(ctx context.Context, server domain.Server) (versions domain.PackageVersions, fetches bool, err error) {
	launch := parse(server.Traits.Program)
	if launch.Kind == "" {
		return domain.PackageVersions{}, false, nil
	}
	in := s.surroundingsOf(server)
	versions = domain.PackageVersions{Kind: launch.Kind, Name: launch.Package, Starts: launch.exact()}
	ctx, cancel := context.WithTimeout(ctx, maxResolveTime)
	defer cancel()
	err = s.prepare()
	var folder string
	if err == nil {
		folder, err = os.MkdirTemp(s.directory, temporaryPrefix+"*")
	}
	if err != nil {
		return versions, true, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a later installation removes leftovers
	if launch.Kind == domain.PackagePyPI {
		newest := launch
		newest.Wanted = "latest"
		versions.Newest, err = s.resolvePython(ctx, in, newest, folder)
		switch {
		case err != nil || launch.Wanted == "": // uvx keeps the version that it fetched first
		case launch.Wanted == "latest":
			versions.Starts = versions.Newest
		case versions.Starts == "":
			versions.Starts, err = s.resolvePython(ctx, in, launch, folder)
		}
		return versions, true, in.uvFailure(launch.Package, err)
	}
	if versions.Starts == "" {
		if versions.Starts = in.global(ctx, launch); versions.Starts != "" {
			versions.Why = "which is installed globally"
		}
	}
	fits, newest, err := s.viewNPM(ctx, in, launch, folder)
	if versions.Newest = newest; versions.Starts == "" {
		versions.Starts = fits
	}
	if err != nil {
		err = in.npmFailure(launch.Package, err)
	}
	return versions, true, err
}

// exact returns the only version that fits, "" if several may.
func (l Launch) exact() string {
	version := l.Wanted
	if l.Kind == domain.PackagePyPI {
		var isExact bool
		if version, isExact = strings.CutPrefix(version, "=="); !isExact || strings.ContainsAny(version, ",*=") {
			return ""
		}
		return strings.TrimSpace(version)
	}
	if strings.Count(version, ".") < 2 || strings.Trim(version, alphanumeric+".-+") != "" || version[0] < '0' || version[0] > '9' {
		return ""
	}
	for _, part := range strings.SplitN(version, ".", 3) {
		if part == "x" || part == "X" {
			return ""
		}
	}
	return version
}

// global returns the version of the package that is installed globally, "" for none. npx prefers it if the command line
// names no version (https://docs.npmjs.com/cli/v11/commands/npx).
func (s surroundings) global(ctx context.Context, launch Launch) string {
	if launch.Wanted != "" {
		return ""
	}
	npm, err := s.npm()
	if err != nil {
		return ""
	}
	printed, err := s.run(ctx, npm, "", "", "root", "--global")
	if err != nil {
		return ""
	}
	text, err := safefile.ReadFile(filepath.Join(strings.TrimSpace(printed.stdout), filepath.FromSlash(launch.Package), "package.json"))
	if err != nil {
		return ""
	}
	found, err := readManifest(text)
	if err != nil {
		return ""
	}
	return found.Version
}

// viewNPM asks npm for the version that the launch would fetch now, and for the newest release.
func (s *Store) viewNPM(ctx context.Context, in surroundings, launch Launch, folder string) (fits, newest string, err error) {
	if err := in.project(folder, nil); err != nil {
		return "", "", err
	}
	wanted := npmSpec(launch)
	if launch.exact() != "" {
		wanted = launch.Package + "@latest"
	}
	var output printed
	err = s.ask(in, in.registryOf(launch), npmOutOfReach, npmInDoubt, func(in surroundings) (err error) {
		output, err = in.outputOfNPM(ctx, launch, folder, "view", wanted, "version", "dist-tags.latest", "--json", "--prefer-online")
		return err
	})
	if err != nil {
		return "", "", err
	}
	type release struct {
		Version string `json:"version"`
		Latest  string `json:"dist-tags.latest"`
	}
	text := bytes.TrimSpace([]byte(output.stdout))
	var found []release // several versions fit a range, the newest is the last
	if bytes.HasPrefix(text, []byte("{")) {
		found = make([]release, 1)
		err = json.Unmarshal(text, &found[0])
	} else {
		err = json.Unmarshal(text, &found)
	}
	switch {
	case err != nil:
		return "", "", fmt.Errorf("npm printed something else than versions: %w", err)
	case len(found) == 0 || found[len(found)-1].Version == "":
		return "", "", errors.New("npm named no version of it")
	}
	last := found[len(found)-1]
	return last.Version, last.Latest, nil
}
