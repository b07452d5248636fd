package stdio

import (
	"errors"
	"os"
)

// pipes are the three pipes between the workbench and a server, both ends each.
type pipes struct {
	in, out, err                *os.File // the workbench's ends
	childIn, childOut, childErr *os.File
}

// openPipe creates a pipe.
type openPipe func() (read, write *os.File, err error)

func (p *pipes) open(input openPipe) error {
	var inErr, outErr, errErr error
	p.childIn, p.in, inErr = input()
	p.out, p.childOut, outErr = outputPipe()
	p.err, p.childErr, errErr = os.Pipe()
	return errors.Join(inErr, outErr, errErr)
}

func (p *pipes) closeChildEnds() { closeAll(p.childIn, p.childOut, p.childErr) }
func (p *pipes) closeOwnEnds()   { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, file := range files {
		if file != nil {
			_ = file.Close() // nothing was written to it yet
		}
	}
}
