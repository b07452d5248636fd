package realservers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// server is a server of a toolbox.
type server struct {
	name      string
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	Cwd       string            `json:"cwd,omitempty"`
	URL       string            `json:"url,omitempty"`
	Transport string            `json:"transport,omitempty"`
}

// toolbox is a toolbox of a configuration.
type toolbox struct {
	name    string
	servers []server
}

// everythingServer is the reference server with a tool of each kind. Its clock stands
// still, so that its answers are the same in every process.
func everythingServer() server {
	const clock = `data:text/javascript,Date.prototype.toLocaleTimeString = () => "12:00:00 PM"`
	return server{name: "everything", Command: node.path, Args: []string{"--import", clock, serverProgram("everything")}}
}

// filesystem is the reference server for a directory.
func filesystem(directory string) server {
	return server{name: "filesystem", Command: node.path, Args: []string{serverProgram("filesystem"), directory}}
}

// memory is the reference server that keeps a graph in a file.
func memory(file string) server {
	return server{
		name: "memory", Command: node.path, Args: []string{serverProgram("memory")},
		Env: map[string]string{"MEMORY_FILE_PATH": file},
	}
}

// with returns the server with one more variable in its environment.
func (s server) with(name, value string) server {
	env := maps.Clone(s.Env)
	if env == nil {
		env = map[string]string{}
	}
	env[name] = value
	s.Env = env
	return s
}

// direct starts the server without a workbench and makes the handshake.
func (s server) direct(ctx context.Context) *host {
	GinkgoHelper()
	env := environment()
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, name+"="+s.Env[name])
	}
	h := startHost(env, s.Command, s.Args...)
	h.initialize(ctx)
	return h
}

// configuration writes a configuration, in the order given, and returns its path.
func configuration(toolboxes ...toolbox) string {
	GinkgoHelper()
	return writeConfiguration("proxy", toolboxes)
}

func writeConfiguration(mode string, toolboxes []toolbox) string {
	GinkgoHelper()
	var boxes []string
	for _, t := range toolboxes {
		var servers []string
		for _, s := range t.servers {
			settings, err := json.Marshal(s)
			Expect(err).NotTo(HaveOccurred())
			servers = append(servers, fmt.Sprintf("%q:%s", s.name, settings))
		}
		boxes = append(boxes, fmt.Sprintf(`%q:{"description":"Toolbox %s","mcpServers":{%s}}`,
			t.name, t.name, strings.Join(servers, ",")))
	}
	path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
	// On a busy machine, npm takes longer than hosts wait.
	text := `{"toolMode":"` + mode + `","limits":{"openReply":"50s"},"toolboxes":{` + strings.Join(boxes, ",") + `}}`
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// workbench is a host that drives a workbench.
type workbench struct{ *host }

// startWorkbench starts a workbench with these toolboxes and makes the handshake. It has
// one more variable than its servers get.
func startWorkbench(ctx context.Context, toolboxes ...toolbox) workbench {
	GinkgoHelper()
	env := append(environment(), "NOT_FOR_SERVERS=secret", "XDG_STATE_HOME="+GinkgoT().TempDir())
	h := startHost(env, programs.Workbench, "--config", configuration(toolboxes...))
	h.initialize(ctx)
	return workbench{h}
}

// opened is an answer of open_toolbox.
type opened struct {
	Connected int               `json:"servers_connected"`
	Tools     []json.RawMessage `json:"tools"`
	// Instructions are the instructions of the servers, by name.
	Instructions map[string]string `json:"instructions"`

	Errors   []string `json:"_errors"`
	Warnings []string `json:"_warnings"`
}

// toolResult is the part of a tool's result that specs check.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// text returns the only text of a result.
func text(answer message) string {
	GinkgoHelper()
	Expect(answer.Result).NotTo(BeNil(), "an error instead of a result: %s", answer.Error)
	var result toolResult
	Expect(json.Unmarshal(answer.Result, &result)).To(Succeed())
	Expect(result.Content).NotTo(BeEmpty())
	return result.Content[0].Text
}

// open opens a toolbox.
func (w workbench) open(ctx context.Context, name string) opened {
	GinkgoHelper()
	var o opened
	answer := text(w.callTool(ctx, "open_toolbox", fmt.Sprintf(`{"toolbox":%q}`, name)))
	Expect(json.Unmarshal([]byte(answer), &o)).To(Succeed(), "%s", answer)
	return o
}

// use calls a tool of a server of a toolbox.
func (w workbench) use(ctx context.Context, toolbox, server, tool, arguments string) message {
	GinkgoHelper()
	return w.callTool(ctx, "use_tool", useArguments(toolbox, server, tool, arguments))
}

func useArguments(toolbox, server, tool, arguments string) string {
	return fmt.Sprintf(`{"tool":{"toolbox":%q,"server":%q,"tool":%q},"arguments":%s}`, toolbox, server, tool, arguments)
}

// patience is how long a process may take to end. It detects hangs, even on slow
// machines.
const patience = 30 * time.Second

// host drives one MCP server over its standard streams and keeps its answers
// in their bytes: the workbench, or a real server without it.
type host struct {
	process *exec.Cmd
	in      io.WriteCloser
	ended   chan struct{} // closed when the process is gone
	killed  bool
	// instructions is the text that came with the handshake.
	instructions string

	mu       sync.Mutex
	lastID   int
	waiting  map[string]chan message // by id
	received []message
	noise    []string // lines that are not messages
}

// message is a message from a server, with raw values.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// startHost starts a program with the environment that the workbench gets, and
// ends it after the spec.
func startHost(env []string, command string, args ...string) *host {
	GinkgoHelper()
	h := &host{
		process: exec.Command(command, args...),
		ended:   make(chan struct{}),
		waiting: map[string]chan message{},
	}
	h.process.Env = env
	h.process.Stderr = GinkgoWriter
	in := spec.Must(h.process.StdinPipe())
	h.in = in
	out := spec.Must(h.process.StdoutPipe())
	Expect(h.process.Start()).To(Succeed())
	go h.read(out)
	DeferCleanup(func() {
		code := h.end()
		if !h.killed {
			Expect(code).To(Equal(0), "the exit code of %s", command)
		}
		Expect(h.noise).To(BeEmpty(), "lines on standard output that are not messages")
	})
	return h
}

// environment is the environment of every workbench, and of every server that is
// started without it. The workbench gives servers the same one.
func environment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "SYSTEMROOT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func (h *host) read(out io.Reader) {
	defer close(h.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(line, &m) != nil || (m.Method == "" && m.ID == nil) {
			h.mu.Lock()
			h.noise = append(h.noise, string(line))
			h.mu.Unlock()
			continue
		}
		h.receive(m)
	}
	_ = h.process.Wait() // the spec checks later how it ended
}

func (h *host) receive(m message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.received = append(h.received, m)
	if waiting := h.waiting[string(m.ID)]; m.Method == "" && waiting != nil {
		waiting <- m
		delete(h.waiting, string(m.ID))
	}
}

// begin sends a request and returns its id and the channel of the answer.
func (h *host) begin(method, params string) (int, <-chan message) {
	GinkgoHelper()
	h.mu.Lock()
	h.lastID++
	id := h.lastID
	answer := make(chan message, 1)
	h.waiting[fmt.Sprint(id)] = answer
	h.mu.Unlock()
	h.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	return id, answer
}

func (h *host) send(line string) {
	GinkgoHelper()
	_, err := io.WriteString(h.in, line+"\n")
	Expect(err).NotTo(HaveOccurred(), "writing %.200s", line)
}

func (h *host) notify(method, params string) {
	GinkgoHelper()
	h.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// request sends a request and waits for its answer.
func (h *host) request(ctx context.Context, method, params string) message {
	GinkgoHelper()
	_, answer := h.begin(method, params)
	return h.await(ctx, answer)
}

func (h *host) await(ctx context.Context, answer <-chan message) message {
	GinkgoHelper()
	select {
	case m := <-answer:
		return m
	case <-h.ended:
		// The answer may have been its last message.
		select {
		case m := <-answer:
			return m
		default:
			Fail("the server ended instead of answering")
		}
	case <-ctx.Done():
		Fail("no answer came: " + context.Cause(ctx).Error())
	}
	return message{}
}

// initialize makes the handshake like the workbench with servers: without
// capabilities, since the tools of some servers depend on them.
func (h *host) initialize(ctx context.Context) {
	GinkgoHelper()
	hello := h.request(ctx, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}`)
	Expect(hello.Result).NotTo(BeNil(), "the handshake: %s", hello.Error)
	var greeting struct{ Instructions string }
	Expect(json.Unmarshal(hello.Result, &greeting)).To(Succeed())
	h.instructions = greeting.Instructions
	h.notify("notifications/initialized", `{}`)
}

// callTool calls a tool of the server itself.
func (h *host) callTool(ctx context.Context, tool, arguments string) message {
	GinkgoHelper()
	return h.request(ctx, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// end closes the server's input and returns its exit code.
func (h *host) end() int {
	_ = h.in.Close() // it may be closed already
	kill := time.AfterFunc(patience, func() {
		fmt.Fprintln(GinkgoWriter, "the server did not end and is killed")
		_ = h.process.Process.Kill()
	})
	defer kill.Stop()
	<-h.ended
	return h.process.ProcessState.ExitCode()
}
