// Command server is an MCP server over stdio that does as little as a server can:
// it finds the members that it needs by searching bytes, answers each request
// with one write, and decodes nothing. What a call through something else costs
// more than a call to it is the price of that something.
//
// Its tools are echo (gives back text, or a text of size bytes), sleep (answers
// after ms milliseconds, many at once) and ping (reports its progress so many times
// first); further ones are only listed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"mcp-workbench/tests/bench/wire"
)

func main() {
	tools := flag.Int("tools", 3, "number of tools to list, at least 3")
	delay := flag.Duration("start-delay", 0, "time to wait before the first request is read")
	plain := flag.Bool("plain", false, "answer echo by size with letters only")
	listens := flag.Bool("listen", false, "answer over HTTP, at a URL that is the first line of the output")
	flag.Parse()

	// With a single place among the runnable goroutines, which is the default on one
	// CPU, the runtime's monitor takes it from a read that lasts 20 µs, and three
	// threads have to be switched before the next message is read. What it would cost
	// would depend on how long the way to the server is, and be charged to the way.
	runtime.GOMAXPROCS(4)

	time.Sleep(*delay)
	s := &server{out: os.Stdout, tools: max(*tools, 3), plain: *plain}
	serve := func() error { return s.serve(os.Stdin) }
	if *listens {
		serve = s.listen
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// server answers the requests of one host.
type server struct {
	tools int
	plain bool
	// sized is the last text that was asked for by its size.
	sized []byte

	// mu guards out and buf: an answer that slept comes from its own goroutine.
	mu  sync.Mutex
	out io.Writer
	buf []byte
}

// serve answers until the input ends. Calls that still sleep then are dropped.
func (s *server) serve(input io.Reader) error {
	lines := wire.NewLines(input)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.handle(line); err != nil {
			return err
		}
	}
}

func (s *server) handle(line []byte) error {
	r, ok := parse(line)
	switch {
	case !ok:
		return s.fail([]byte("null"), -32700, "Parse error")
	case r.id == nil || r.method == nil:
		return nil // a notification, or an answer to a question never asked
	}
	switch string(r.method) {
	case "tools/call":
		return s.call(r)
	case "tools/list":
		return s.reply(r.id, `{"tools":[`, toolList(s.tools), `]}`)
	case "ping":
		return s.reply(r.id, `{}`, nil, ``)
	case "initialize":
		version := r.version
		if version == nil {
			version = []byte(`2025-11-25`)
		}
		return s.reply(r.id, `{"protocolVersion":"`, version,
			`","capabilities":{"tools":{}},"serverInfo":{"name":"bench-server","version":"1.0.0"}}`)
	default:
		return s.fail(r.id, -32601, "Method not found")
	}
}

func (s *server) call(r request) error {
	switch string(r.tool) {
	case "echo":
		if r.size == nil {
			return s.text(r.id, r.text)
		}
		size, err := strconv.Atoi(string(r.size))
		if err != nil || size < 0 {
			return s.fail(r.id, -32602, "size must be a number of bytes")
		}
		if len(s.sized) != size {
			s.sized = wire.Text(size, s.plain)
		}
		return s.text(r.id, s.sized)
	case "sleep":
		ms, err := strconv.Atoi(string(r.ms))
		if err != nil {
			return s.fail(r.id, -32602, "ms must be a number of milliseconds")
		}
		id := append([]byte(nil), r.id...)
		time.AfterFunc(time.Duration(ms)*time.Millisecond, func() {
			// The next read reports what is wrong with the pipe.
			_ = s.text(id, []byte("slept"))
		})
		return nil
	case "ping":
		if err := s.report(r); err != nil {
			return err
		}
		return s.text(r.id, []byte("pong"))
	default:
		return s.fail(r.id, -32602, "Unknown tool")
	}
}
