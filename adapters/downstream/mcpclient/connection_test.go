package mcpclient_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// message is a message that a server received.
type message struct {
	line   string
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// connection is a link in memory, with the server at its other end.
type connection struct {
	*mcpclient.Stream
	writer   *jsonrpc.Writer
	messages *mcpclient.ServerMessages
	host     *host
	server   domain.Server

	input  *io.PipeReader // the server's ends
	output *io.PipeWriter
	in     *io.PipeWriter // the workbench's
	ran    chan error     // receives what Run returned

	logged *gbytes.Buffer

	mu       sync.Mutex
	reading  *sync.Cond
	stopped  bool // the server does not read
	received []message
	// answers holds what requests of a method are answered with: "result" or "error"
	// and its value, as members of an object. The last counts for all that follow.
	answers map[string][]string
}

const greeting = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`

// limit is the one on messages.
const limit = 100_000

func newConnection() *connection { return newLimitedConnection(0) }

// newLimitedConnection is newConnection to a server that takes so many requests at
// once.
func newLimitedConnection(inFlight int64) *connection {
	c := &connection{
		host: &host{capabilities: "{}"}, logged: gbytes.NewBuffer(), ran: make(chan error, 1), answers: map[string][]string{"initialize": {greeting}},
		server: domain.Server{
			ID:     domain.ServerID{Toolbox: "dev", Server: "files"},
			Limits: domain.Limits{InFlight: inFlight, MessageSize: 1 << 20},
		},
	}
	c.reading = sync.NewCond(&c.mu)
	c.server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}
	log := slog.New(slog.NewTextHandler(io.MultiWriter(GinkgoWriter, c.logged), &slog.HandlerOptions{Level: slog.LevelDebug}))
	var source *io.PipeReader
	c.input, c.in = io.Pipe()
	source, c.output = io.Pipe()
	c.writer = jsonrpc.NewWriter(c.in, nil)
	c.messages = mcpclient.NewServerMessages(c.server, c.host, &policy{}, c.server.Redact, log)
	c.Stream = mcpclient.NewStream(source, c.writer, c.messages, limit)
	go func() { c.ran <- c.Run() }()
	go c.serve()
	return c
}

// end ends everything.
func (c *connection) end() {
	c.Fail(errors.New("the spec is over"))
	_ = c.output.Close()
	_ = c.input.Close()
	_ = c.in.Close()
	c.read()
	_ = c.writer.Close(context.Background())
}

// Close implements mcpclient.Link.
func (c *connection) Close(context.Context) error {
	c.end()
	return nil
}

// serve is the server.
func (c *connection) serve() {
	lines := bufio.NewScanner(c.input)
	lines.Buffer(nil, 64<<20)
	for c.mayRead() && lines.Scan() {
		m := message{line: lines.Text()}
		_ = json.Unmarshal([]byte(m.line), &m) // what the workbench writes is JSON
		if answer := c.receive(m); answer != "" {
			c.say(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,` + answer + `}`)
		}
	}
}

// mayRead waits until the server reads.
func (c *connection) mayRead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.stopped {
		c.reading.Wait()
	}
	return true
}

// receive notes the message and returns what it is answered with.
func (c *connection) receive(m message) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, m)
	answers := c.answers[m.Method]
	if len(answers) == 0 || m.ID == nil {
		return ""
	}
	if len(answers) > 1 {
		c.answers[m.Method] = answers[1:]
	}
	return answers[0]
}

// requests returns the messages that the server received.
func (c *connection) requests() []message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.received)
}

// stop makes the server read no more, after the message that it reads now.
func (c *connection) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// read makes the server read again.
func (c *connection) read() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = false
	c.reading.Broadcast()
}

// say has the server write lines.
func (c *connection) say(lines ...string) { c.write(strings.Join(lines, "\n") + "\n") }

func (c *connection) write(text string) {
	_, _ = io.WriteString(c.output, text) // fails when the connection ended
}

// answer sets what requests of the method are answered with, one after the other.
func (c *connection) answer(method string, answers ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[method] = answers
}

// heard returns what the server received of a method, in order; "" stands for
// answers.
func (c *connection) heard(method string) []message {
	settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.received), func(m message) bool { return m.Method != method })
}

// methods returns the methods of all that the server received.
func (c *connection) methods() []string {
	settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	var methods []string
	for _, m := range c.received {
		methods = append(methods, m.Method)
	}
	return methods
}

// connect shakes hands.
func (c *connection) connect() (*mcpclient.Session, error) {
	return mcpclient.Connect(context.Background(), c, c.messages, mcpclient.Identity{Name: "workbench", Version: "1"})
}

// session shakes hands with a server that must be willing.
func (c *connection) session() *mcpclient.Session {
	GinkgoHelper()
	session, err := c.connect()
	Expect(err).NotTo(HaveOccurred())
	return session
}

// reason returns why the server is unavailable.
func reason(err error) string {
	GinkgoHelper()
	failure, ok := errors.AsType[*domain.ServerUnavailableError](err)
	Expect(ok).To(BeTrue(), "another kind of error: %v", err)
	return failure.Reason.Error()
}

// outcome records the calls of a reply and their arguments.
type outcome struct {
	mu      sync.Mutex
	answers []string // the raw result, or the raw error
	errs    []error
}

func (o *outcome) add(result, failure json.RawMessage, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers = append(o.answers, string(bytes.Join([][]byte{result, failure}, nil)))
	o.errs = append(o.errs, err)
}

// replies says how often the reply was called by now.
func (o *outcome) replies() int {
	settle()
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.errs)
}

// answered returns the answer of a request that must have one.
func (o *outcome) answered() string {
	GinkgoHelper()
	Expect(o.replies()).To(Equal(1))
	Expect(o.errs[0]).NotTo(HaveOccurred())
	return o.answers[0]
}

// failed returns the error of a request that must have failed.
func (o *outcome) failed() error {
	GinkgoHelper()
	Expect(o.replies()).To(Equal(1))
	Expect(o.errs[0]).To(HaveOccurred())
	return o.errs[0]
}

// begin sends a request.
func (c *connection) begin(ctx context.Context, request mcpclient.Request) *outcome {
	o := &outcome{}
	c.Request(ctx, request, func(answer mcpclient.Answer, err error) { o.add(answer.Result, answer.Error, err) })
	return o
}

// ask sends a request without anything special.
func (c *connection) ask(method string) *outcome {
	return c.begin(context.Background(), mcpclient.Request{Method: mcp.MCPMethod(method)})
}

// host is a host that notes what it hears and answers nothing by itself.
type host struct {
	mu           sync.Mutex
	capabilities string
	heard        []string
	params       []string // of what was told
	kinds        []ports.NotificationKind
	subjects     []string
	asked        []func(ports.Answer, error)
	contexts     []context.Context
	takes        bool // requests at any time
}

func (h *host) TakesRequests() bool { return h.takes }

func (h *host) Capabilities() json.RawMessage { return json.RawMessage(h.capabilities) }

func (h *host) Notify(_ domain.ServerID, notification ports.Notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = append(h.heard, notification.Method)
	h.params = append(h.params, string(notification.Params))
	h.kinds = append(h.kinds, notification.Kind)
	h.subjects = append(h.subjects, notification.Subject)
}

func (h *host) Request(ctx context.Context, _ domain.ServerID, _ ports.Message, reply ports.Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, reply)
	h.contexts = append(h.contexts, ctx)
}
