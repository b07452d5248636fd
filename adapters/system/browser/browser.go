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
	commands := candidates(runtime.GOOS, os.Getenv("BROWSER"), address)
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
// shell reads the commands, so no character of an address is special.
func candidates(system, browser, address string) [][]string {
	var commands [][]string
	alternatives := []string{browser}
	if system != "windows" { // paths of Windows have colons
		alternatives = strings.Split(browser, ":")
	}
	for _, alternative := range alternatives {
		if words := strings.Fields(alternative); len(words) > 0 {
			commands = append(commands, withAddress(words, address))
		}
	}
	switch {
	case commands != nil:
		return commands
	case system == "windows":
		return [][]string{{"rundll32", "url.dll,FileProtocolHandler", address}}
	case system == "darwin":
		return [][]string{{"open", address}}
	}
	return [][]string{{"xdg-open", address}}
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
