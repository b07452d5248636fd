package background

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The requests of a bridge or a command.
const (
	doServe  = "serve"
	doReload = "reload"
	doStop   = "stop"
)

// hello is the first line to a background workbench.
type hello struct {
	Key string `json:"key"`
	Do  string `json:"do"`
	Window
	// ID is the number of the window whose configuration is to be reloaded.
	ID int `json:"id,omitempty"`
}

// welcome is a line from a background workbench: one after it has read the hello and, for a window, another one
// when it can serve the window.
type welcome struct {
	PID int `json:"pid,omitempty"`
	// ID is the number of the window.
	ID int `json:"id,omitempty"`
	// Problem says why the window is not served.
	Problem string `json:"problem,omitempty"`
	// MessageSize is the maximum size of the host's messages in bytes.
	MessageSize int64 `json:"messageSize,omitempty"`
}

const (
	// maxHello is the maximum size of a hello: an environment can have megabytes.
	maxHello   = 16 << 20
	maxWelcome = 64 << 10
)

// stopped is the last line of a workbench that was told to end.
const stopped = "stopped"

// errTooLong reports a line over the limit.
var errTooLong = errors.New("the line is too long")

// readLine reads a line of JSON of at most limit bytes.
func readLine(from *bufio.Reader, limit int, into any) error {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return errTooLong
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return err
		}
		return json.Unmarshal(line, into)
	}
}

// writeLine writes a line of JSON.
func writeLine(to io.Writer, line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("write %T as JSON: %w", line, err)
	}
	_, err = to.Write(append(text, '\n'))
	return err
}
