package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// version has the version of a release in each of its forms.
type version struct {
	// Tag is the version that the program prints: v1.0.0, or devel-0acdc88f634e.
	Tag string
	// Number is a semantic version, which npm and others require: 1.0.0, or 0.0.0-devel.g0acdc88f634e.
	Number string
	// Time is the time of the commit.
	Time time.Time
}

// tagForm is a semantic version with "v" before it and without build metadata, which npm drops.
var tagForm = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// newVersion returns the version with a tag, which must be "v" and a semantic version, or "devel" with
// the commit.
func newVersion(tag string, at time.Time) (version, error) {
	if commit, isDevel := strings.CutPrefix(tag, "devel-"); isDevel {
		commit, _, _ = strings.Cut(commit, "+")
		return version{Tag: tag, Number: "0.0.0-devel.g" + commit, Time: at}, nil
	}
	if !tagForm.MatchString(tag) {
		return version{}, fmt.Errorf("the version %q is not v and a semantic version, such as v1.0.0 or v1.0.0-rc.1", tag)
	}
	return version{Tag: tag, Number: tag[1:], Time: at}, nil
}

// findVersion returns the wanted version, else the tag of the commit, else "devel" with the commit. A
// wanted version needs a checkout without changes, since others rebuild it from its commit.
func findVersion(ctx context.Context, wanted string) (version, error) {
	commit, err := git(ctx, "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return version{}, err
	}
	changed, err := git(ctx, "status", "--porcelain")
	if err != nil {
		return version{}, err
	}
	written, err := git(ctx, "log", "-1", "--format=%cI")
	if err != nil {
		return version{}, err
	}
	at, err := time.Parse(time.RFC3339, written)
	if err != nil {
		return version{}, fmt.Errorf("read the time of the commit: %w", err)
	}
	tag := "devel-" + commit
	switch exact, err := git(ctx, "describe", "--tags", "--exact-match"); {
	case wanted != "" && changed != "":
		return version{}, errors.New("files differ from the commit: commit or remove the changes, or leave out the version")
	case wanted != "":
		tag = wanted
	case changed != "":
		tag += "+dirty"
	case err == nil:
		tag = exact
	}
	return newVersion(tag, at.UTC())
}

func git(ctx context.Context, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", arguments...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", arguments[0], err)
	}
	return strings.TrimSpace(string(output)), nil
}
