package setup

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// temporaryPlace names the place of a program that may be removed from there, and says what that means and
// what to do. It returns "" if the program stays where it is.
func temporaryPlace(program string) string {
	if runner := runnerOf(program); runner != "" {
		return "the cache of " + runner + ", which is cleaned from time to time. That breaks every host that starts the program there; " +
			"install the package with 'npm install -g' and connect again, or run 'mcp-workbench init' in a terminal, which copies the program to where it stays."
	}
	if tree := workTree(program); tree != "" {
		return "the git work tree " + tree + ". Moving or cleaning that folder breaks every host that starts the program there; " +
			"'make install' puts it where it stays."
	}
	return ""
}

// caches are the folders in which commands keep a package that they run without installing it.
var caches = []struct{ runner, folder string }{
	{"npx", `/_npx/`},
	{"bunx", `/bunx-[^/]*/`},
	{"pnpm dlx", `/pnpm/(cache/)?dlx[/-]`},
	{"yarn dlx", `/xfs-[^/]*/dlx-[^/]*/`},
}

// runnerOf returns the command that keeps a program in its cache, "" for none.
func runnerOf(program string) string {
	for _, cache := range caches {
		if regexp.MustCompile(cache.folder).MatchString(filepath.ToSlash(program)) {
			return cache.runner
		}
	}
	return ""
}

// workTree returns the git work tree that a program is in, "" for none. A home folder that is one does
// not count, since it stays.
func workTree(program string) string {
	home, _ := os.UserHomeDir() // without one nothing is compared
	for directory := filepath.Dir(program); ; directory = filepath.Dir(directory) {
		if directory == home || directory == filepath.Dir(directory) {
			return ""
		}
		if _, err := os.Stat(filepath.Join(directory, ".git")); err == nil {
			return directory
		}
	}
}

// linkOfHomebrew returns the path under which Homebrew keeps the newest version of a program, which outlives
// an upgrade, or the path itself for a program that Homebrew did not install.
func linkOfHomebrew(program string) string {
	prefix, inside, isCellar := strings.Cut(program, "/Cellar/")
	parts := strings.SplitN(inside, "/", 3) // the formula, the version, and the rest
	if !isCellar || len(parts) < 3 {
		return program
	}
	link := filepath.Join(prefix, "opt", parts[0], parts[2])
	own, err := os.Stat(program)
	if err != nil {
		return program
	}
	if linked, err := os.Stat(link); err != nil || !os.SameFile(own, linked) {
		return program
	}
	return link
}
