package shell

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A host without a terminal", func() {
	server := domain.ServerID{Toolbox: "dev", Server: "files"}
	var host *Host
	var screen *os.File
	BeforeEach(func() {
		var err error
		screen, err = os.Create(filepath.Join(GinkgoT().TempDir(), "screen"))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(screen.Close)
		host = NewHost(terminal.NewConsole(screen, screen, screen).Err)
	})
	shown := func() string {
		GinkgoHelper()
		Expect(screen.Seek(0, io.SeekStart)).Error().NotTo(HaveOccurred())
		return string(spec.Must(io.ReadAll(screen)))
	}
	type outcome struct {
		answer ports.Answer
		err    error
	}
	outcomeOf := func(ctx SpecContext, method mcp.MCPMethod, params string) (got outcome) {
		GinkgoHelper()
		outcomes := make(chan outcome, 1)
		host.Request(ctx, server, ports.Message{Method: string(method), Params: json.RawMessage(params)}, func(answer ports.Answer, err error) {
			outcomes <- outcome{answer, err}
		})
		Eventually(ctx, outcomes).Should(Receive(&got))
		return got
	}
	request := func(ctx SpecContext, method mcp.MCPMethod, params string) ports.Answer {
		GinkgoHelper()
		got := outcomeOf(ctx, method, params)
		Expect(got.err).NotTo(HaveOccurred())
		return got.answer
	}

	It("declines every form, and shows the question", func(ctx SpecContext) {
		answer := request(ctx, mcp.MethodElicitationCreate, `{"message":"Your name?","requestedSchema":{"properties":{}}}`)

		Expect(string(answer.Result)).To(MatchJSON(`{"action":"decline"}`))
		Expect(shown()).To(ContainSubstring("dev/files asks: Your name?"))
	})

	It("opens no pages", func(ctx SpecContext) {
		answer := request(ctx, mcp.MethodElicitationCreate, `{"mode":"url","message":"Go","url":"https://x.example"}`)

		Expect(string(answer.Result)).To(MatchJSON(`{"action":"decline"}`))
	})

	It("cannot confirm calls", func(ctx SpecContext) {
		answers := make(chan domain.ConfirmationAnswer, 1)
		(&confirmer{Host: host}).Confirm(ctx, domain.ConfirmationQuestion{}, func(answer domain.ConfirmationAnswer) { answers <- answer })
		Eventually(ctx, answers).Should(Receive(Equal(domain.ConfirmationImpossible)))
	})

	It("has the working directory as its only root", func(ctx SpecContext) {
		directory := spec.Must(os.Getwd())
		var result struct{ Roots []struct{ URI, Name string } }

		Expect(json.Unmarshal(request(ctx, mcp.MethodListRoots, `{}`).Result, &result)).To(Succeed())
		Expect(result.Roots).To(HaveLen(1))
		Expect(result.Roots[0].URI).To(And(HavePrefix("file:///"), HaveSuffix("/"+filepath.Base(directory))))
	})

	DescribeTable("refuses",
		func(ctx SpecContext, method mcp.MCPMethod, reason string) {
			got := outcomeOf(ctx, method, `{}`)

			Expect(got.answer.Result).To(BeNil())
			Expect(got.err).To(MatchError(&ports.UnsupportedError{Reason: reason}))
		},
		Entry("sampling", mcp.MethodSamplingCreateMessage, "there is no model in a shell to sample from"),
		Entry("anything else", mcp.MCPMethod("x/y"), "a shell cannot be asked for x/y"),
	)

	It("prints what a server says without a call from warnings on", func() {
		for _, level := range []string{"debug", "info", "notice", "warning"} {
			host.Notify(server, ports.Notification{Kind: ports.LogMessage, Params: json.RawMessage(`{"level":"` + level + `","data":"x"}`)})
		}

		Expect(shown()).To(Equal("dev/files: warning: x\n"))
	})

	DescribeTable("prints log messages behind the name of their server while a call is under way",
		func(params, line string) {
			host.calls.Store(true)
			host.Notify(server, ports.Notification{Kind: ports.LogMessage, Params: json.RawMessage(params)})

			Expect(shown()).To(Equal(line))
		},
		Entry("texts", `{"level":"info","data":"hello"}`, "dev/files: info: hello\n"),
		Entry("of a logger", `{"level":"error","logger":"db","data":"x"}`, "dev/files/db: error: x\n"),
		Entry("values", `{"level":"info","data":{"a": 1}}`, "dev/files: info: {\"a\": 1}\n"),
		Entry("marked on every further line", `{"level":"info","data":"a\nwarning: b"}`, "dev/files: info: a\n  | warning: b\n"),
		Entry("not of another kind", `[]`, ""),
	)

	It("prints no more of a message than a screen shows", func() {
		host.calls.Store(true)
		data := spec.Must(json.Marshal(strings.Repeat("line\n", 100)))
		host.Notify(server, ports.Notification{Kind: ports.LogMessage, Params: json.RawMessage(`{"level":"info","data":` + string(data) + `}`)})

		Expect(strings.Count(shown(), "\n")).To(Equal(maxLines + 1))
		Expect(shown()).To(HaveSuffix("… 50 more lines\n"))
	})

	It("collects the answers to the questions of a result, and returns its state", func(ctx SpecContext) {
		type outcome struct {
			params json.RawMessage
			err    error
		}
		outcomes := make(chan outcome, 1)
		wanted := `{"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"s"}`
		host.GatherInput(ctx, server)([]byte(wanted), func(params json.RawMessage, err error) { outcomes <- outcome{params, err} })

		var supplied outcome
		Eventually(ctx, outcomes).Should(Receive(&supplied))
		Expect(supplied.err).NotTo(HaveOccurred())
		Expect("{" + string(supplied.params) + "}").To(MatchJSON(`{"inputResponses":{"q":{"action":"decline"}},"requestState":"s"}`))
	})

	DescribeTable("gathers nothing",
		func(ctx SpecContext, wanted, reason string) {
			failures := make(chan error, 1)
			host.GatherInput(ctx, server)([]byte(wanted), func(_ json.RawMessage, err error) { failures <- err })

			Eventually(ctx, failures).Should(Receive(MatchError(ContainSubstring(reason))))
		},
		Entry("for requests that are not an object", `{"inputRequests":[]}`, "not an object"),
		Entry("for sampling", `{"inputRequests":{"q":{"method":"sampling/createMessage"}}}`, "sampling/createMessage"),
	)
})
