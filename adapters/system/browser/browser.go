// Package browser opens an address in the browser of the user.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Open starts the browser with an address. If the browser fails later, possibly before it shows anything,
// failed is called on another goroutine.
//
// Failures: those of starting each candidate, joined.
func Open(address string, failed func(error)) error {
	commands := candidates(runtime.GOOS, os.Getenv("BROWSER"), os.Getenv("SystemRoot"), address)
	var failures []error
	for _, command := range commands {
		browser := exec.CommandContext(context.Background(), command[0], command[1:]...) // it outlives the program
		if runtime.GOOS == "windows" {
			browser.Dir = os.TempDir() // on Windows the working directory of a program cannot be removed
		}
		if err := browser.Start(); err != nil {
			failures = append(failures, err)
			continue
		}
		go func() {
			if err := browser.Wait(); err != nil {
				failed(fmt.Errorf("%s: %w", command[0], err))
			}
		}()
		return nil
	}
	return errors.Join(failures...)
}

// candidates returns the commands that may open an address, in order. $BROWSER is a command,
// or several separated by colons. The address replaces "%s" in a command, or comes last. No
// shell reads the commands, so no character of an address is special. On Windows it is the path of a program or a command
// whose program can be in quotes, and the program of the system in root, its folder, is the last one.
func candidates(system, browser, root, address string) [][]string {
	var commands [][]string
	alternatives := []string{browser}
	if system != "windows" { // paths of Windows have colons
		alternatives = strings.Split(browser, ":")
	}
	for _, alternative := range alternatives {
		words := strings.Fields(alternative)
		if system == "windows" {
			words = windowsWords(strings.TrimSpace(alternative))
		}
		if len(words) > 0 {
			commands = append(commands, withAddress(words, address))
		}
	}
	switch {
	case system == "windows":
		program := "rundll32"
		if root != "" {
			program = root + `\System32\rundll32.exe`
		}
		return append(commands, []string{program, "url.dll,FileProtocolHandler", address})
	case commands != nil:
		return commands
	case system == "darwin":
		return [][]string{{"open", address}}
	}
	return [][]string{{"xdg-open", address}}
}

// windowsWords splits a command of Windows, in which a program is in quotes or ends with ".exe" if it has blanks.
func windowsWords(command string) []string {
	if quoted, isQuoted := strings.CutPrefix(command, `"`); isQuoted {
		program, rest, _ := strings.Cut(quoted, `"`)
		return append([]string{program}, strings.Fields(rest)...)
	}
	if strings.HasSuffix(strings.ToLower(command), ".exe") {
		return []string{command}
	}
	return strings.Fields(command)
}

func withAddress(words []string, address string) []string {
	named := false
	for i, word := range words {
		if i > 0 && strings.Contains(word, "%s") {
			words[i], named = strings.ReplaceAll(word, "%s", address), true
		}
	}
	if !named {
		words = append(words, address)
	}
	return words
}
