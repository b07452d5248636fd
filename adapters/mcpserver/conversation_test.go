package mcpserver_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// workbench is the host's side over use cases of the specs.
type workbench struct {
	fakeUseCases
	toolboxes  fakeInstructions
	limits     mcpserver.Settings
	settings   definitions.Settings
	registered *mcpserver.Registered // nil when no tools are registered
	host       *host.Host
	log        *screen
}

// newWorkbench returns a workbench whose tools answer with an empty result.
func newWorkbench() *workbench {
	w := &workbench{
		log:    &screen{},
		limits: mcpserver.Settings{MessageSize: 1 << 20, InFlight: 1000, InputReply: time.Minute},
	}
	w.host = host.New(slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	w.open = opens(domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev"}}, nil)
	w.use = result(`{"content":[]}`)
	w.list = func(domain.ResourceKind) ([]domain.Resource, error) { return nil, nil }
	w.resource = func(_ string, _ ports.Message, reply ports.Reply) {
		reply(ports.Answer{}, domain.ErrResourceNotFound)
	}
	w.listed = func() ([]domain.RegisteredPrompt, error) { return nil, nil }
	w.find = func(string) (domain.PromptIdentifier, error) {
		return domain.PromptIdentifier{}, domain.ErrPromptNotFound
	}
	w.get = func(_ context.Context, _ domain.PromptIdentifier, _ ports.Request, reply ports.Reply) {
		reply(ports.Answer{Result: []byte(`{"messages":[]}`)}, nil)
	}
	w.complete = func(_ string, _ ports.Message, reply ports.Reply) { reply(ports.Answer{}, domain.ErrResourceNotFound) }
	w.task = func(_ string, _ ports.Message, reply ports.Reply) { reply(ports.Answer{}, domain.ErrTaskNotFound) }
	return w
}

func (w *workbench) server() *mcpserver.Server {
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	program := mcpserver.NewProgram("1.2.3", w.toolboxes, func() definitions.Settings { return w.settings }, w.limits, log)
	useCases := mcpserver.UseCases{Opener: w, User: w, Resources: w, Prompts: w, Completer: w, Tasks: w, Announcer: w, Starter: w, Shown: w}
	return mcpserver.New(program, useCases, w.registered, w.host)
}

// converse has a whole conversation: it sends the lines, ends the input, and
// returns the lines that came back.
func (w *workbench) converse(lines ...string) []string {
	var out screen
	spec.InBubble(func(t *testing.T) {
		input := strings.NewReader(strings.Join(lines, "\n") + "\n")
		Expect(w.server().Serve(t.Context(), input, mcpserver.Output{Writer: &out})).Error().NotTo(HaveOccurred())
	})()
	return out.lines()
}

// answer returns the only line that comes back for a line.
func (w *workbench) answer(line string) string {
	lines := w.converse(line)
	Expect(lines).To(HaveLen(1))
	return lines[0]
}

// conversation is one that goes on in a bubble, until that ends.
type conversation struct {
	*screen
	input  *io.PipeWriter
	cancel context.CancelFunc
	done   chan struct{} // closed when the fields below are set
	ended  time.Time
	err    error
}

func (w *workbench) begin(t *testing.T) *conversation {
	input, writer := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	c := &conversation{screen: &screen{}, input: writer, cancel: cancel, done: make(chan struct{})}
	server := w.server()
	go func() {
		defer close(c.done)
		c.ended, c.err = server.Serve(ctx, input, mcpserver.Output{Writer: c.screen})
	}()
	t.Cleanup(func() {
		cancel()
		c.release(errors.New("the spec is over"))
		_ = writer.Close()
		<-c.done
	})
	return c
}

// send sends lines and returns what comes back for them at once.
func (c *conversation) send(lines ...string) []string {
	before := len(c.lines())
	Expect(io.WriteString(c.input, strings.Join(lines, "\n")+"\n")).Error().NotTo(HaveOccurred())
	synctest.Wait()
	return c.lines()[before:]
}

// hears returns what comes at once when something happens.
func (c *conversation) hears(happens func()) []string {
	before := len(c.lines())
	happens()
	synctest.Wait()
	return c.lines()[before:]
}

// end ends the input and waits for the end of the conversation.
func (c *conversation) end() {
	_ = c.input.Close()
	<-c.done
}

// screen keeps what is written to it. While it is held, writes wait.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	held    chan struct{} // closed on release; nil when it is not held
	failure error
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held != nil {
		<-held
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return 0, s.failure
	}
	return s.text.Write(text)
}

func (s *screen) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = make(chan struct{})
}

// release lets writes go on, or fail.
func (s *screen) release(failure error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = failure
	if s.held != nil {
		close(s.held)
		s.held = nil
	}
}

// lines returns the whole lines that were written.
func (s *screen) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.TrimSuffix(s.text.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
