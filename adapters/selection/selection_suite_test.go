package selection_test

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"mcp-workbench/adapters/selection"
	"mcp-workbench/tests/spec"
)

func TestSelection(t *testing.T) { spec.Run(t, "Selecting from results") }

// The specs start this program again as the process that runs programs and expressions.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "selection":
			selection.Run(os.Stdin, os.NewFile(uintptr(syscall.Stdout), "output"))
			return
		case "beginning":
			output := os.NewFile(uintptr(syscall.Stdout), "output")
			if selection.Fails(os.Stdin, func() { _, _ = output.WriteString("the limits began, ") }) {
				_, _ = output.WriteString("and it failed") // what is missing fails the spec
			}
			return
		case "silent":
			return
		case "waiting":
			_, _ = io.Copy(io.Discard, os.Stdin)
			time.Sleep(time.Hour) // it is killed
		}
	}
	m.Run()
}
