package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// library is a module that the programs contain, or Go's standard library.
type library struct {
	path, version string
	// licence is an SPDX expression, and text the licence text of the module.
	licence, text string
}

// licenceFile matches the names of files with a licence, or with a notice that must be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents)([.-].*)?$`)

// librariesOf returns the modules of all programs by path, after the standard library. A module
// without a known licence is an error.
func librariesOf(ctx context.Context, programs []built) ([]library, error) {
	paths := map[string]bool{}
	for _, p := range programs {
		for _, module := range p.modules {
			paths[module.Path] = true
		}
	}
	names := append([]string{"list", "-m", "-f", "{{.Path}}\t{{.Version}}\t{{.Dir}}"}, slices.Sorted(maps.Keys(paths))...)
	modules, err := exec.CommandContext(ctx, "go", names...).Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	goRoot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	standard, err := readLibrary("std", strings.TrimPrefix(runtime.Version(), "go"), strings.TrimSpace(string(goRoot)))
	if err != nil {
		return nil, err
	}
	libraries := []library{standard}
	for line := range strings.Lines(string(modules)) {
		path, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		version, directory, _ := strings.Cut(rest, "\t")
		found, err := readLibrary(path, version, directory)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, found)
	}
	return libraries, nil
}

// readLibrary reads the licence of a module in its directory.
func readLibrary(path, version, directory string) (library, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return library{}, fmt.Errorf("read the licence of %s: %w", path, err)
	}
	var text strings.Builder
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(directory, entry.Name()))
		if err != nil {
			return library{}, fmt.Errorf("read the licence of %s: %w", path, err)
		}
		fmt.Fprintf(&text, "%s\n\n", strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")))
	}
	licence := identify(text.String())
	if licence == "" {
		return library{}, fmt.Errorf("the licence of %s in %s is not known: find out whether it may be passed on, and name it in cmd/release/licences.go", path, directory)
	}
	return library{path: path, version: version, licence: licence, text: text.String()}, nil
}

// identify returns the SPDX expression of the licences in a text, "" if it has no known one.
func identify(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var found []string
	if strings.Contains(text, "Permission is hereby granted, free of charge") {
		found = append(found, "MIT")
	}
	if strings.Contains(text, "Apache License") && strings.Contains(text, "Version 2.0") {
		found = append(found, "Apache-2.0")
	}
	if strings.Contains(text, "Redistribution and use in source and binary forms") {
		if strings.Contains(text, "Neither the name") || strings.Contains(text, "names of its contributors") {
			found = append(found, "BSD-3-Clause")
		} else {
			found = append(found, "BSD-2-Clause")
		}
	}
	if strings.Contains(text, "Mozilla Public License") {
		found = append(found, "MPL-2.0")
	}
	if strings.Contains(text, "Permission to use, copy, modify, and/or distribute this software") {
		found = append(found, "ISC")
	}
	return strings.Join(found, " AND ")
}

// thirdPartyLicences returns the text of all licences, which each archive contains.
func thirdPartyLicences(libraries []library) []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "MCP Workbench contains the libraries below. Its own licence is in LICENSE.\n")
	for _, l := range libraries {
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(&text, "\n%s\n%s %s (%s)\n%s\n\n%s", rule, l.path, l.version, l.licence, rule, l.text)
	}
	return []byte(text.String())
}
