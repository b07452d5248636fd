package stdio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// inputBuffer is the size of the buffer of a server's input, as on Linux.
const inputBuffer = 64 << 10

// inputPipe returns a pipe whose writing end has deadlines. os.Pipe has none on
// Windows, since its ends are not overlapped; those of a named pipe can be. The
// reading end is not overlapped: programs read their standard input synchronously.
func inputPipe() (read, write *os.File, err error) {
	path := fmt.Sprintf(`\\.\pipe\mcp-workbench-%d-%s`, os.Getpid(), rand.Text())
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	const mode = windows.PIPE_ACCESS_OUTBOUND | windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	writing, err := windows.CreateNamedPipe(name, mode,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, inputBuffer, inputBuffer, 0, nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	// These are the rights of CreatePipe's reading end: Node sets the mode of the pipe.
	const access = windows.GENERIC_READ | windows.FILE_WRITE_ATTRIBUTES
	reading, err := windows.CreateFile(name, access, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return nil, nil, errors.Join(os.NewSyscallError("CreateFile", err), windows.CloseHandle(writing))
	}
	return os.NewFile(uintptr(reading), "|0"), os.NewFile(uintptr(writing), "|1"), nil
}

// readerIsGone reports whether a write failed because the reading end is closed.
func readerIsGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED)
}
