package stdio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// writeTime is the longest time one write can wait for the program to read.
const writeTime = 10 * time.Second

// input is the standard input of a server. It sends the reason of the first failed write to
// broken.
type input struct {
	file   *os.File
	broken chan<- string
}

func (i *input) Write(piece []byte) (int, error) {
	n, err := i.write(piece)
	if err != nil {
		select {
		case i.broken <- writeFailure(err):
		default:
		}
	}
	return n, err
}

func (i *input) write(piece []byte) (int, error) {
	if err := i.file.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	return i.file.Write(piece)
}

// writeFailure says why a server cannot be written to, in words for a model.
func writeFailure(err error) string {
	switch {
	case readerIsGone(err):
		return "the server closed its input"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("the server did not read its input for %s", writeTime)
	}
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err // its path is only the name of the pipe
	}
	return fmt.Sprintf("the server's input cannot be written to: %s", err)
}
