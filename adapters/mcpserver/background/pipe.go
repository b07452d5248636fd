package background

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// pipe is a workbench in this process.
type pipe struct {
	*os.File // the messages of the workbench
	to       *os.File
	from     *bufio.Reader
	cancel   context.CancelFunc
	reloads  chan os.Signal
}

// NewPipe returns a workbench in this process. The function serve serves the host until it is gone.
//
// Failures: the workbench cannot serve the host.
func NewPipe(serve func(context.Context, *Host), window Window, flags json.RawMessage) (Workbench, error) {
	hostRead, benchWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	benchRead, hostWrite, err := os.Pipe()
	if err != nil {
		_, _ = hostRead.Close(), benchWrite.Close()
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	window.Flags = flags
	ctx, cancel := context.WithCancel(context.Background())
	host := &Host{
		Window: window, Stderr: os.Stderr, Piped: true, Reloads: make(chan os.Signal, 1),
		Input: bufio.NewReaderSize(benchRead, 64<<10), Output: benchWrite, listener: &Listener{},
	}
	go func() {
		serve(ctx, host)
		_, _ = benchWrite.Close(), benchRead.Close()
	}()
	p := &pipe{File: hostRead, to: hostWrite, from: bufio.NewReader(hostRead), cancel: cancel, reloads: host.Reloads}
	var got welcome
	err = readLine(p.from, maxWelcome, &got)
	if err == nil && got.Problem != "" {
		err = fmt.Errorf("serve the host: %s", got.Problem)
	}
	if err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

func (p *pipe) Read(into []byte) (int, error)     { return p.from.Read(into) }
func (p *pipe) Write(message []byte) (int, error) { return p.to.Write(message) }

// CloseWrite implements Workbench.
func (p *pipe) CloseWrite() error { return p.to.Close() }

// Close implements Workbench.
func (p *pipe) Close() error {
	p.cancel()
	_ = p.to.Close() // closing it twice does no harm
	return p.File.Close()
}

// Reload implements Workbench.
func (p *pipe) Reload(context.Context) {
	select {
	case p.reloads <- os.Interrupt:
	default: // one is due
	}
}
