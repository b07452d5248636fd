// Command server is an MCP server over stdio that does as little as a server can:
// it finds the members that it needs by searching bytes, answers each request
// with one write, and decodes nothing. The additional cost of a call through another
// process is the cost of that process.
//
// Its tool is echo, which returns the given text; other tools are only listed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

func main() {
	tools := flag.Int("tools", 1, "number of tools to list, at least 1")
	delay := flag.Duration("start-delay", 0, "time to wait before the first request is read")
	flag.Parse()

	// With a single place among the runnable goroutines, which is the default on one
	// CPU, the runtime's monitor takes it from a read that lasts 20 µs, and three
	// threads have to be switched before the next message is read. What it would cost
	// would depend on how long the way to the server is, and be charged to the way.
	runtime.GOMAXPROCS(4)

	time.Sleep(*delay)
	s := &server{out: os.Stdout, tools: max(*tools, 1)}
	if err := s.serve(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// server answers the requests of one host, one after the other.
type server struct {
	tools int
	out   io.Writer
	buf   []byte
}

// serve answers until the input ends.
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
		if err := s.handle(parse(line)); err != nil {
			return err
		}
	}
}

func (s *server) handle(r request) error {
	if r.id == nil || r.method == nil {
		return nil // a notification
	}
	switch string(r.method) {
	case "tools/call":
		return s.call(r)
	case "tools/list":
		return s.reply(r.id, `{"tools":[`, toolList(s.tools), `]}`)
	case "ping":
		return s.reply(r.id, `{}`, nil, ``)
	case "initialize":
		return s.reply(r.id, `{"protocolVersion":"`, r.version,
			`","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"bench-server","version":"1.0.0"}}`)
	default:
		return s.fail(r.id, -32601, "Method not found")
	}
}

func (s *server) call(r request) error {
	if string(r.tool) != "echo" {
		return s.fail(r.id, -32602, "Unknown tool")
	}
	return s.text(r.id, r.text)
}
