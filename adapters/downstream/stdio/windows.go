package stdio

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// maxDirectory is the longest working directory in which Windows starts a program, in UTF-16 units (CreateProcess).
const maxDirectory = 258

// checkForWindows returns why Windows would not start a program, or would start more than it.
func checkForWindows(program domain.Program) error {
	if units := len(utf16.Encode([]rune(program.Cwd))); units > maxDirectory {
		return fmt.Errorf("its working directory has %d characters, and Windows starts programs in one of at most %d", units, maxDirectory)
	}
	if number, found := launcher.InterpretedByCmd(program.Command, program.Args); number > 0 {
		return fmt.Errorf(`its argument %d contains %s, which cmd.exe would interpret: leave out "cmd" and "/c"`, number, found)
	}
	return nil
}

// isOnShare reports whether a path begins with the name of another machine. Cmd.exe starts in the folder of Windows
// instead of such a working directory.
func isOnShare(path string) bool {
	return strings.HasPrefix(path, `\\`) || strings.HasPrefix(path, "//")
}

// exitMeanings are what exit codes of Windows mean (ntstatus.h) that programs which cannot start or crash end with.
var exitMeanings = map[uint32]string{
	9009:       "cmd.exe, or the alias of the Microsoft Store, found no such program",
	0xC0000005: "access violation",
	0xC000007B: "a DLL is for another kind of processor",
	0xC00000FD: "stack overflow",
	0xC0000135: "a DLL was not found",
	0xC000013A: "Ctrl-C, or its console was closed",
	0xC0000142: "a DLL could not be initialized",
	0xC0000409: "it aborted itself",
}

// exitCode describes an exit code of Windows: large ones in the forms in which they are documented, and well-known ones
// with their meaning.
func exitCode(code uint32) string {
	var notes []string
	switch {
	case code >= 1<<32-1<<16:
		notes = append(notes, fmt.Sprint(int32(code)))
	case code >= 1<<31:
		notes = append(notes, fmt.Sprintf("0x%X", code))
	}
	if meaning := exitMeanings[code]; meaning != "" {
		notes = append(notes, meaning)
	}
	text := fmt.Sprintf("exit code %d", code)
	if notes != nil {
		text += " (" + strings.Join(notes, ": ") + ")"
	}
	return text
}
