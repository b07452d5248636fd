package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// BenchmarkUseTool makes calls of use_tool through the whole program, from the
// host's pipe to the pipes of a server in this process, and back.
func BenchmarkUseTool(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			benchmarkCall(b, config.Proxy, size, `{"name":"use_tool","arguments":`+
				`{"tool":{"toolbox":"t","server":"s","tool":"echo"},"arguments":{"text":"%s"}}}`)
		})
	}
}

// BenchmarkCallRegistered makes the same calls of the same tool by its registered
// name.
func BenchmarkCallRegistered(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			benchmarkCall(b, config.Dynamic, size, `{"name":"t__s_echo","arguments":{"text":"%s"}}`)
		})
	}
}

func benchmarkCall(b *testing.B, mode config.ToolMode, size int, params string) {
	host := serveHost(b, mode)
	host.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
	host.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox":"t"}}}`)
	if mode == config.Dynamic {
		host.read() // the notification that the tools changed
	}
	call := []byte(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":` +
		fmt.Sprintf(params, strings.Repeat("x", size)) + "}\n")
	b.ReportAllocs()
	b.SetBytes(int64(len(call)))
	for b.Loop() {
		if answer := host.call(call); len(answer) < size {
			b.Fatalf("the answer has %d bytes", len(answer))
		}
	}
}

// pipeHost is a host in this process.
type pipeHost struct {
	b   *testing.B
	in  *os.File
	out *bufio.Reader
}

func (h pipeHost) ask(line string) { h.call([]byte(line + "\n")) }

// call writes a line and returns the line that comes back.
func (h pipeHost) call(line []byte) []byte {
	if _, err := h.in.Write(line); err != nil {
		h.b.Fatal(err)
	}
	return h.read()
}

func (h pipeHost) read() []byte {
	line, err := h.out.ReadSlice('\n')
	if err != nil {
		h.b.Fatal(err)
	}
	return line
}

// serveHost runs a workbench with one server until the benchmark ends.
func serveHost(b *testing.B, mode config.ToolMode) pipeHost {
	transports := map[string]ports.Transport{"stdio": echoTransport{}}
	path := b.TempDir() + "/config.json"
	text := `{"toolMode":"` + string(mode) + `","toolboxes":{"t":{"mcpServers":{"s":{"command":"echo"}}}}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	configuration, err := config.Load(config.Options{Path: path}, transports)
	if err != nil {
		b.Fatal(err)
	}
	shared := newProcess(&preparation{configuration: configuration, transports: transports, log: slog.New(slog.DiscardHandler)})
	workbench := newWorkbench(shared, shared.onStandardInput(nil))
	input, in := pipe(b)
	out, output := pipe(b)
	served := make(chan struct{})
	go func() {
		defer close(served)
		_, _ = workbench.server.Serve(context.Background(), input,
			mcpserver.Output{Writer: output, Attempt: jsonrpc.NonblockingWrite(output)})
		workbench.sessions.Close(context.Background())
	}()
	b.Cleanup(func() { _ = in.Close(); <-served })
	return pipeHost{b: b, in: in, out: bufio.NewReaderSize(out, 4<<20)}
}

func pipe(b *testing.B) (read, write *os.File) {
	read, write, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return read, write
}

// echoTransport reaches a server in this process that answers calls with their
// text.
type echoTransport struct{}

func (echoTransport) Settings() any {
	return struct {
		Command string `json:"command"`
	}{}
}
func (echoTransport) Check(json.RawMessage) error          { return nil }
func (echoTransport) Traits(json.RawMessage) domain.Traits { return domain.Traits{} }

func (echoTransport) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, answer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go echo(read, answer)
	messages := mcpclient.NewServerMessages(server, host, policy, server.Redact, slog.New(slog.DiscardHandler))
	writer := jsonrpc.NewWriter(write, jsonrpc.NonblockingWrite(write))
	link := echoLink{mcpclient.NewStream(answers, writer, messages, server.Limits.MessageSize), write, answers}
	go func() { link.Fail(link.Run()) }()
	return mcpclient.Connect(ctx, link, messages, mcpclient.Identity{})
}

type echoLink struct {
	*mcpclient.Stream
	write, answers *os.File
}

func (l echoLink) Close(context.Context) error {
	_ = l.write.Close()
	<-l.Done()
	return l.answers.Close()
}

// echo answers as a server would, with as little work as can be.
func echo(in io.Reader, out io.WriteCloser) {
	defer out.Close() //nolint:errcheck // the reader is gone by then
	lines := bufio.NewReaderSize(in, 4<<20)
	var answer []byte
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		_, id, _ := bytes.Cut(line[:min(len(line), 100)], []byte(`"id":`))
		id, _, _ = bytes.Cut(id, []byte(","))
		answer = append(append(answer[:0], `{"jsonrpc":"2.0","id":`...), id...)
		switch {
		case bytes.Contains(line[:60], []byte("initialized")):
			continue
		case bytes.Contains(line[:60], []byte("initialize")):
			answer = append(answer, `,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}`...)
		case bytes.Contains(line[:60], []byte("tools/list")):
			answer = append(answer, `,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}`...)
		default:
			_, text, _ := bytes.Cut(line, []byte(`"text":`))
			answer = append(answer, `,"result":{"content":[{"type":"text","text":`...)
			answer = append(answer, bytes.TrimSuffix(text, []byte("}}}\n"))...)
			answer = append(answer, `}]}}`...)
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return
		}
	}
}
