package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	wanted := flag.String("version", "", "the version, such as v1.0.0; without it the tag of the commit, or devel with the commit")
	only := flag.String("platforms", "", "build only for these platforms, such as linux-amd64,windows-amd64, to try something")
	flag.Usage = func() {
		_, _ = fmt.Fprintln(os.Stderr, "usage: release [flags] DIRECTORY") // a failure cannot be reported
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), *wanted, *only, flag.Arg(0)); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run creates a release in a subfolder of the directory.
func run(ctx context.Context, wanted, only, directory string) error {
	o, err := parseOwner(ownerFile)
	if err != nil {
		return err
	}
	v, err := findVersion(ctx, wanted)
	if err != nil {
		return err
	}
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, o, v, chosen)
	if err != nil {
		return err
	}
	if err := r.make(ctx); err != nil {
		return err
	}
	return r.write(filepath.Join(directory, v.Tag))
}

// choose returns the platforms in a comma-separated list, or all for an empty list.
func choose(only string) ([]platform, error) {
	if only == "" {
		return platforms, nil
	}
	var chosen []platform
	for name := range strings.SplitSeq(only, ",") {
		system, architecture, _ := strings.Cut(name, "-")
		if !slices.Contains(platforms, platform{system, architecture}) {
			return nil, fmt.Errorf("there is no platform %q: there are %v", name, platforms)
		}
		chosen = append(chosen, platform{system, architecture})
	}
	return chosen, nil
}
