package world_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"

	. "mcp-workbench/tests/workbenchtest"
)

// patience is the longest time that a server may take for an answer, on a busy machine.
const patience = 3 * time.Minute

// grace is how long a program may take to end after the end of its input.
const grace = 3 * time.Second

// peer is a running server, or a workbench, that answers in its own bytes. It has one request at a time.
type peer struct {
	process *exec.Cmd
	in      io.WriteCloser
	answers chan message // closed at the end of the output
	lastID  int
}

// message is a message with raw values.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// startPeer starts a program in a folder with these variables and no others.
func startPeer(folder string, env []string, command ...string) (*peer, error) {
	p := &peer{process: exec.Command(command[0], command[1:]...), answers: make(chan message, 16)}
	p.process.Dir, p.process.Env, p.process.Stderr = folder, env, GinkgoWriter
	p.process.WaitDelay = grace // programs that a server leaves behind hold its pipes
	in, err := p.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	go p.read(bufio.NewReader(out))
	return p, nil
}

// read passes on answers, and refuses requests as the workbench does for a host without capabilities. Lines that are no
// messages are passed over.
func (p *peer) read(out *bufio.Reader) {
	defer close(p.answers)
	for {
		line, err := out.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		switch {
		case json.Unmarshal(line, &m) != nil || len(m.ID) == 0:
		case m.Method == "ping":
			_ = p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`)
		case m.Method != "":
			_ = p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":-32601,"message":"not supported"}}`)
		default:
			p.answers <- m
		}
	}
}

func (p *peer) send(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

// end ends the program. Some servers have to be killed, with and without a workbench.
func (p *peer) end() {
	_ = p.in.Close()
	kill := time.AfterFunc(grace, func() { _ = p.process.Process.Kill() })
	defer kill.Stop()
	_ = p.process.Wait() // which closes the output too
	for range p.answers {
	}
}

// request returns the bytes of a result, or of an error.
func (p *peer) request(ctx context.Context, method, params string) (string, error) {
	p.lastID++
	id := strconv.Itoa(p.lastID)
	if err := p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":` + Quote(method) + `,"params":` + params + `}`); err != nil {
		return "", fmt.Errorf("%s: %w", method, err)
	}
	for {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("%s: %w", method, ctx.Err())
		case m, ok := <-p.answers:
			switch {
			case !ok:
				return "", fmt.Errorf("%s: the program ended", method)
			case string(m.ID) != id: // the late answer to a request that was given up
			case m.Error != nil:
				return failed + string(m.Error), nil
			default:
				return string(m.Result), nil
			}
		}
	}
}

// failed is the beginning of an answer that is an error.
const failed = "error "

// result returns a result, and fails for an error.
func (p *peer) result(ctx context.Context, method, params string, into any) error {
	text, err := p.request(ctx, method, params)
	if err != nil {
		return err
	}
	if strings.HasPrefix(text, failed) {
		return fmt.Errorf("%s: %s", method, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// greeting is the answer to a handshake.
type greeting struct {
	Instructions string
	Capabilities struct{ Tools, Prompts, Resources *struct{} }
}

// initialize makes the handshake like the workbench for a host without capabilities, under its name, which some servers
// show.
func (p *peer) initialize(ctx context.Context) (greeting, error) {
	var g greeting
	const hello = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp-workbench","version":"devel"}}`
	if err := p.result(ctx, "initialize", hello, &g); err != nil {
		return g, err
	}
	return g, p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// list returns the entries of every page of a list.
func (p *peer) list(ctx context.Context, method, member string) ([]json.RawMessage, error) {
	var entries []json.RawMessage
	for params := `{}`; ; {
		page := map[string]json.RawMessage{}
		if err := p.result(ctx, method, params, &page); err != nil {
			return nil, err
		}
		var more []json.RawMessage
		if err := json.Unmarshal(page[member], &more); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		entries = append(entries, more...)
		next := page["nextCursor"]
		if len(next) == 0 || string(next) == "null" || string(next) == `""` {
			return entries, nil
		}
		params = `{"cursor":` + string(next) + `}`
	}
}

// environment returns the variables that programs get: those that the workbench passes to servers.
func environment(home string) []string {
	env := []string{"HOME=" + home}
	for _, name := range []string{"PATH", "TMPDIR", "SYSTEMROOT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
