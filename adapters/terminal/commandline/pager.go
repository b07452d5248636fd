package commandline

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Page shows text in the pager of the user, with stdout and stderr: the command in PAGER, or less. It
// returns when the pager has ended. It shows nothing and reports false if there is no pager, if PAGER is
// empty or cat, or if the pager cannot be started.
func Page(ctx context.Context, text string, stdout, stderr io.Writer) bool {
	command := pager()
	if len(command) == 0 {
		return false
	}
	pager := exec.CommandContext(ctx, command[0], command[1:]...)
	pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(text), stdout, stderr
	if _, isSet := os.LookupEnv("LESS"); !isSet {
		pager.Env = append(os.Environ(), "LESS=FRX") // as git does, so that a text that fits is only printed
	}
	_ = pager.Run() // a pager fails if the user leaves it before the end of the text
	return pager.ProcessState != nil
}

// pager returns the command line of the user's pager, empty for none.
func pager() []string {
	if configured, isSet := os.LookupEnv("PAGER"); isSet {
		command := strings.Fields(configured)
		if len(command) > 0 && command[0] == "cat" {
			return nil
		}
		return command
	}
	if less, err := exec.LookPath("less"); err == nil {
		return []string{less}
	}
	return nil
}
