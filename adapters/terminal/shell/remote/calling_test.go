package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/adapters/terminal/shell/remote"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// uses are use cases that do what a spec says.
type uses struct {
	list func() domain.OpenedServer
	call func(ctx context.Context, call ports.ToolCall, reply ports.Reply)
}

func (u *uses) ListTools(_ context.Context, _ domain.ToolboxName, _ domain.ServerName, each func(domain.OpenedServer)) (domain.OpenedToolbox, error) {
	listed := u.list()
	each(listed)
	return domain.OpenedToolbox{Servers: []domain.OpenedServer{listed}}, nil
}

func (u *uses) UseTool(ctx context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	u.call(ctx, call, reply)
}

// confirming is a user who gives an answer.
type confirming domain.ConfirmationAnswer

func (confirming) CanConfirm() bool { return true }

func (c confirming) Confirm(_ context.Context, _ domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	reply(domain.ConfirmationAnswer(c))
}

var _ = Describe("A command with servers in another process", func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	var (
		served  *uses
		session *remote.Session
		client  *remote.Client
		end     context.CancelFunc
		screen  *os.File
	)
	BeforeEach(func() {
		screen = spec.Must(os.Create(filepath.Join(GinkgoT().TempDir(), "screen")))
		DeferCleanup(screen.Close)
		served, session = &uses{}, &remote.Session{}
		session.Use(served, served, nil)
		ours, theirs := net.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		end = cancel
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer theirs.Close() //nolint:errcheck // the other end notices
			session.Serve(ctx, theirs, theirs, 1<<20)
		}()
		toolbox := domain.Toolbox{Name: "dev", Servers: []domain.Server{{ID: files}}}
		client = remote.NewClient(ours, shell.NewHost(terminal.NewConsole(screen, screen, screen).Err), func(domain.ToolboxName) (domain.Toolbox, error) { return toolbox, nil })
		DeferCleanup(func() {
			client.Close()
			end()
			<-done
		})
	})
	type outcome struct {
		answer ports.Answer
		err    error
	}
	use := func(ctx SpecContext, call ports.ToolCall) (got outcome) {
		GinkgoHelper()
		outcomes := make(chan outcome, 1)
		call.Arguments = json.RawMessage(`{}`)
		client.UseTool(ctx, read, call, func(answer ports.Answer, err error) { outcomes <- outcome{answer, err} })
		Eventually(ctx, outcomes).Should(Receive(&got))
		return got
	}

	It("gets results, errors and definitions in the bytes of the server", func(ctx SpecContext) {
		served.call = func(_ context.Context, call ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{ "x":1.0, "a":"\u00e9<" }`)}, nil)
		}
		Expect(string(use(ctx, ports.ToolCall{}).answer.Result)).To(Equal(`{ "x":1.0, "a":"\u00e9<" }`))
		served.call = func(_ context.Context, call ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code": 7}`)}, nil)
		}
		Expect(string(use(ctx, ports.ToolCall{}).answer.Error)).To(Equal(`{"code": 7}`))
		served.list = func() domain.OpenedServer {
			return domain.OpenedServer{ID: files, NeedYes: map[string]bool{"read": true}, Tools: []domain.ToolInfo{{Name: "read", Shown: "read", Definition: json.RawMessage(`{ "name":"read" }`)}}}
		}
		listed, err := client.ListTools(ctx, "dev", "files", func(domain.OpenedServer) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(listed.Servers).To(Equal([]domain.OpenedServer{served.list()}))
	})

	DescribeTable("fails as if the servers were in its own process", func(ctx SpecContext, err error, kind shell.Kind) {
		served.call = func(_ context.Context, _ ports.ToolCall, reply ports.Reply) { reply(ports.Answer{}, err) }
		served.list = func() domain.OpenedServer { return domain.OpenedServer{ID: files, Failure: err} }
		want := shell.CallFailed(err)

		got := shell.CallFailed(use(ctx, ports.ToolCall{}).err)
		listed, failed := client.ListTools(ctx, "dev", "", func(domain.OpenedServer) {})

		Expect(failed).NotTo(HaveOccurred())
		Expect(got).To(MatchError(want.Error()))
		Expect(shell.CallFailed(listed.Servers[0].Failure)).To(MatchError(want.Error()))
		var command *shell.CommandError
		Expect(errors.As(got, &command) && command.Kind == kind || kind == shell.Other).To(BeTrue())
	},
		Entry("unreachable", &domain.ServerUnavailableError{ID: files, Reason: errors.New("it ended")}, shell.Unreachable),
		Entry("no such tool", &domain.ToolNotFoundError{Tool: read, Available: []string{"write"}}, shell.Usage),
		Entry("wrong arguments", &domain.InvalidArgumentsError{Tool: read, Problems: "'x' is missing"}, shell.Usage),
		Entry("no yes", &domain.NotConfirmedError{Tool: read, Answer: domain.ConfirmationDeclined}, shell.Other),
		Entry("anything else", errors.New("the disk is full"), shell.Other),
	)

	It("is asked for a yes and for input, and told of progress, by its own calls", func(ctx SpecContext) {
		var told []string
		served.call = func(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
			call.Progress(ports.Progress{Before: json.RawMessage(`{"progressToken":`), After: json.RawMessage(`,"progress":1}`)})
			call.Confirmer.Confirm(ctx, domain.ConfirmationQuestion{Tool: read}, func(answer domain.ConfirmationAnswer) {
				call.Input(json.RawMessage(`{"inputRequests":{}}`), func(more json.RawMessage, err error) {
					reply(ports.Answer{Result: json.RawMessage(`{"more":{` + string(more) + `},"yes":"` + answer.String() + `"}`)}, err)
				})
			})
		}

		got := use(ctx, ports.ToolCall{
			Confirmer: confirming(domain.ConfirmedOnce), Progress: func(p ports.Progress) { told = append(told, string(p.Before)+"0"+string(p.After)) },
			Input: func(wanted json.RawMessage, supply func(json.RawMessage, error)) {
				supply(json.RawMessage(`"wanted":`+string(wanted)), nil)
			},
		})

		Expect(got.err).NotTo(HaveOccurred())
		Expect(string(got.answer.Result)).To(Equal(`{"more":{"wanted":{"inputRequests":{}}},"yes":"once"}`))
		Expect(told).To(Equal([]string{`{"progressToken":0,"progress":1}`}))
	})

	It("answers what a server asks while it uses it, and shows its messages", func(ctx SpecContext) {
		served.call = func(ctx context.Context, _ ports.ToolCall, reply ports.Reply) {
			session.Notify(files, ports.Notification{Kind: ports.LogMessage, Params: json.RawMessage(`{"level":"error","data":"hot"}`)})
			session.Request(ctx, files, ports.Message{Method: "roots/list"}, reply)
		}
		Expect(string(use(ctx, ports.ToolCall{}).answer.Result)).To(ContainSubstring(`"roots"`))
		Expect(screen.Seek(0, io.SeekStart)).Error().NotTo(HaveOccurred())
		Expect(string(spec.Must(io.ReadAll(screen)))).To(ContainSubstring("dev/files: error: hot"))
		replies := make(chan error, 1)
		session.Request(ctx, files, ports.Message{Method: "roots/list"}, func(_ ports.Answer, err error) { replies <- err })
		Expect(replies).To(Receive(BeAssignableToTypeOf(&ports.UnsupportedError{})), "no command uses the server")
	})

	It("is told that a call is longer than the workbench reads", func(ctx SpecContext) {
		outcomes := make(chan error, 1)
		arguments := json.RawMessage(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)

		client.UseTool(ctx, read, ports.ToolCall{Arguments: arguments}, func(_ ports.Answer, err error) { outcomes <- err })

		Eventually(ctx, outcomes).Should(Receive(MatchError(ContainSubstring("limits.messageSize"))))
		served.call = func(_ context.Context, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`)}, nil)
		}
		Expect(use(ctx, ports.ToolCall{}).err).NotTo(HaveOccurred())
	})

	It("holds up no server when it does not read", func(ctx SpecContext) {
		ours, theirs := net.Pipe()
		serving, stop := context.WithCancel(ctx)
		served.call = func(_ context.Context, _ ports.ToolCall, reply ports.Reply) {
			for range 100 {
				session.Notify(files, ports.Notification{Kind: ports.LogMessage, Params: json.RawMessage(`"` + strings.Repeat("x", 64<<10) + `"`)})
				session.Restarted(files, errors.New("it ended"))
			}
			reply(ports.Answer{}, nil)
			stop()
		}

		go func() {
			_, _ = io.WriteString(ours, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"server":{"toolbox":"dev","server":"files"},"tool":"read","arguments":{}}}`+"\n")
		}()
		session.Serve(serving, theirs, theirs, 1<<20) // until the server has said all

		Expect(ours.Close()).To(Succeed())
		Expect(theirs.Close()).To(Succeed())
	})

	It("cancels its calls, and fails when the other process ends", func(ctx SpecContext) {
		begun, cancelled := make(chan struct{}, 2), make(chan struct{}, 2)
		served.call = func(ctx context.Context, _ ports.ToolCall, reply ports.Reply) {
			begun <- struct{}{}
			<-ctx.Done()
			cancelled <- struct{}{}
			reply(ports.Answer{}, ctx.Err())
		}
		calling, cancel := context.WithCancel(ctx)
		outcomes := make(chan error, 1)
		client.UseTool(calling, read, ports.ToolCall{Arguments: json.RawMessage(`{}`)}, func(_ ports.Answer, err error) { outcomes <- err })
		Eventually(ctx, begun).Should(Receive())
		cancel()
		Eventually(ctx, outcomes).Should(Receive(MatchError(context.Canceled)))
		Eventually(ctx, cancelled).Should(Receive())
		client.UseTool(ctx, read, ports.ToolCall{Arguments: json.RawMessage(`{}`)}, func(_ ports.Answer, err error) { outcomes <- err })
		Eventually(ctx, begun).Should(Receive())
		end()
		Eventually(ctx, outcomes).Should(Receive(MatchError(ContainSubstring("whether the call was carried out is not known"))))
	})
})
