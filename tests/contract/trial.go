package contract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// patience is the time a spec waits for an event that must happen.
const patience = 30 * time.Second

// id is the server of every spec.
var id = domain.ServerID{Toolbox: "dev", Server: "files"}

// A trial is the state of one spec. At the end of every spec nothing is running and each call
// has one reply.
type trial struct {
	kind    string
	modern  bool // servers speak 2026-07-28
	harness Harness
	host    *host
	dir     string

	mu       sync.Mutex
	sessions []ports.Session
	calls    []*call
}

func (t *trial) setUp(kind string) {
	t.kind, t.host, t.dir = kind, newHost(), GinkgoT().TempDir()
	t.sessions, t.calls = nil, nil
}

func (t *trial) tearDown() {
	t.release("everything")
	for _, session := range t.sessions {
		t.close(session)
	}
	for _, call := range t.calls {
		call.end()
	}
	Eventually(t.harness.Running).WithTimeout(patience).Should(BeZero())
	for _, call := range t.calls {
		Expect(call.outcomes).To(HaveLen(1), "a call was replied to more than once")
	}
}

// close closes a session without hurrying its server.
func (t *trial) close(session ports.Session) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	Expect(session.Close(ctx)).To(Succeed())
}

// server returns a server with these settings.
func (t *trial) server(settings json.RawMessage) domain.Server {
	traits := t.harness.Transport().Traits(settings)
	return domain.Server{
		ID: id, Transport: t.kind, Settings: settings, Configured: settings, Traits: traits, Shown: traits, Limits: domain.DefaultLimits(),
	}
}

// serve returns a server that plays the script and keeps a journal.
func (t *trial) serve(s script.Script) domain.Server {
	s.Journal = t.file("journal")
	if t.modern {
		s = inModern(s)
	}
	return t.server(t.harness.Serve(s))
}

// inModern returns the script for a server of 2026-07-28. A script with a rule for everything does
// its own handshake.
func inModern(s script.Script) script.Script {
	if len(s.Rules) > 0 && s.Rules[0].Method == "*" {
		return s
	}
	discovered := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + cmp.Or(s.Capabilities, `{"tools":{}}`)
	if s.Instructions != "" {
		quoted, err := json.Marshal(s.Instructions)
		Expect(err).NotTo(HaveOccurred())
		discovered += `,"instructions":` + string(quoted)
	}
	s.Rules = append(modern(discovered+"}").Rules, s.Rules...)
	return s
}

// file returns the path of a file of the spec.
func (t *trial) file(name string) string { return filepath.Join(t.dir, name) }

// await returns a step of a script that continues once the spec releases the name.
func (t *trial) await(name string) script.Step { return script.Step{AwaitFile: t.file(name)} }

// hang returns a step of a script that continues only at the end of the spec.
func (t *trial) hang() script.Step { return t.await("everything") }

func (t *trial) release(name string) {
	GinkgoHelper()
	Expect(os.WriteFile(t.file(name), nil, 0o600)).To(Succeed())
}

// connect connects to a server that must be reachable.
func (t *trial) connect(server domain.Server) ports.Session {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	session, err := t.harness.Transport().Connect(ctx, server, t.host, OpenPolicy{})
	Expect(err).NotTo(HaveOccurred())
	t.sessions = append(t.sessions, session)
	return session
}

// play connects to a server that plays the script.
func (t *trial) play(s script.Script) ports.Session {
	GinkgoHelper()
	return t.connect(t.serve(s))
}

// refused returns the error of a failed connection, which must leave nothing running.
func (t *trial) refused(ctx context.Context, server domain.Server) error {
	GinkgoHelper()
	session, err := t.harness.Transport().Connect(ctx, server, t.host, OpenPolicy{})
	Expect(err).To(HaveOccurred())
	Expect(session).To(BeNil())
	Expect(t.harness.Running()).To(BeZero(), "a failed connect left something running")
	return err
}

// heard returns the messages of a method that servers received. The method of answers is "".
func (t *trial) heard(method string) []string {
	data, _ := os.ReadFile(t.file("journal")) // there is no file before the first message
	var lines []string
	for line := range strings.Lines(string(data)) {
		var message struct {
			Method string `json:"method"`
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Method == method {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// hears waits for the first message of a method that a server receives.
func (t *trial) hears(method string) string {
	GinkgoHelper()
	Eventually(t.heard).WithArguments(method).WithTimeout(patience).ShouldNot(BeEmpty())
	return t.heard(method)[0]
}

// once calls a function, concurrently with the spec, when a server has received a message of a
// method.
func (t *trial) once(method string, do func()) {
	var done sync.WaitGroup
	done.Go(func() {
		defer GinkgoRecover()
		t.hears(method)
		do()
	})
	DeferCleanup(done.Wait)
}

// member returns the raw value at a path of members.
func member(text string, path ...string) string {
	GinkgoHelper()
	for _, name := range path {
		var members map[string]json.RawMessage
		Expect(json.Unmarshal([]byte(text), &members)).To(Succeed())
		text = string(members[name])
	}
	return text
}

// A call is a pending call or request.
type call struct {
	cancel   context.CancelFunc
	outcomes chan outcome
}

// An outcome is an answer or an error.
type outcome struct {
	result, failure string
	err             error
}

// begin begins a call of a tool without arguments.
func (t *trial) begin(session ports.Session, tool string) *call {
	return t.beginCall(session, ports.ToolCall{Name: tool, Arguments: json.RawMessage("{}")})
}

func (t *trial) beginCall(session ports.Session, toolCall ports.ToolCall) *call {
	ctx, cancel := context.WithCancel(context.Background())
	call := t.track(cancel)
	session.CallTool(ctx, toolCall, call.reply)
	return call
}

func (t *trial) beginRequest(session ports.Session, request ports.Request) *call {
	ctx, cancel := context.WithCancel(context.Background())
	call := t.track(cancel)
	session.Request(ctx, request, call.reply)
	return call
}

func (t *trial) track(cancel context.CancelFunc) *call {
	call := &call{cancel: cancel, outcomes: make(chan outcome, 9)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, call)
	return call
}

// reply keeps copies, since the bytes are only valid until it returns.
func (c *call) reply(answer ports.Answer, err error) {
	c.outcomes <- outcome{result: string(bytes.Clone(answer.Result)), failure: string(bytes.Clone(answer.Error)), err: err}
}

// end waits for the outcome, which stays there for tearDown.
func (c *call) end() outcome {
	GinkgoHelper()
	Eventually(c.outcomes).WithTimeout(patience).ShouldNot(BeEmpty())
	outcome := <-c.outcomes
	c.outcomes <- outcome
	c.cancel()
	return outcome
}

// result returns the raw result of a call, which must succeed.
func (c *call) result() string {
	GinkgoHelper()
	outcome := c.end()
	Expect(outcome.err).NotTo(HaveOccurred())
	Expect(outcome.failure).To(BeEmpty())
	return outcome.result
}

// use calls a tool and returns its raw result.
func (t *trial) use(session ports.Session, tool string) string {
	GinkgoHelper()
	return t.begin(session, tool).result()
}
