package application_test

import (
	"context"
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// observed keeps what it is told.
type observed struct {
	activities []domain.Activity
	tools      map[domain.ServerID][]domain.ToolInfo
}

func (r *observed) ObserveTools(server domain.ServerID, tools []domain.ToolInfo) {
	if r.tools == nil {
		r.tools = map[domain.ServerID][]domain.ToolInfo{}
	}
	r.tools[server] = tools
}

func (r *observed) Observe(activity domain.Activity) { r.activities = append(r.activities, activity) }

// observeUse makes a call that is observed, and answers it after a second.
func observeUse(told *observed, call ports.ToolCall, answer ports.Answer, err error, reply ports.Reply) {
	observers := &application.Observers{Activity: told}
	_, observed := observers.Call(context.Background(), observedTool, call, reply)
	time.Sleep(time.Second)
	observed(answer, err)
}

// observeOpen makes an opening that is observed, and ends it after a second.
func observeOpen(told *observed, opened domain.OpenedToolbox, err error) {
	observers := &application.Observers{Activity: told, Tools: told}
	_, end := observers.Opening(context.Background(), "dev")
	time.Sleep(time.Second)
	end(opened, err)
}

var observedTool = domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}

var _ = Describe("The activity", func() {
	result := []byte(`{"content":[]}`)
	failed := []byte(`{"content":[],"isError":true}`)

	DescribeTable("has each call with its outcome", func(answer ports.Answer, err error, outcome domain.Outcome, code int, unknown bool) {
		spec.Bubble(func(t *testing.T) {
			told := &observed{}
			var passed ports.Answer

			observeUse(told, ports.ToolCall{Arguments: []byte(`{"a":1}`)}, answer, err, func(answer ports.Answer, failure error) {
				passed = answer
				Expect(errors.Is(failure, err)).To(BeTrue())
			})

			Expect(passed).To(Equal(answer))
			size := len(answer.Result) + len(answer.Error)
			Expect(told.activities).To(HaveExactElements(domain.Activity{
				Kind: domain.ActivityCall, Time: time.Now(), Tool: observedTool, Unknown: unknown, Outcome: outcome, Code: code, Duration: time.Second,
				Sent: 7, Received: size, Shown: size,
			}))
		})
	},
		Entry("answered", ports.Answer{Result: result}, nil, domain.OutcomeOK, 0, false),
		Entry("of a tool that failed", ports.Answer{Result: failed}, nil, domain.OutcomeToolError, 0, false),
		Entry("of a tool that failed, as its reader noticed",
			ports.Answer{Result: result, Reading: ports.NewResultReading(result, true, ports.UntypedResult, true)}, nil, domain.OutcomeToolError, 0, false),
		Entry("answered with an error", ports.Answer{Error: []byte(`{"code":-32602,"message":"m"}`)}, nil, domain.OutcomeError, -32602, false),
		Entry("answered with an error without a number as code", ports.Answer{Error: []byte(`{"code":"odd"}`)}, nil, domain.OutcomeError, 0, false),
		Entry("that took too long", ports.Answer{}, domain.ErrTimedOut, domain.OutcomeTimeout, 0, false),
		Entry("that the host cancelled", ports.Answer{}, context.Canceled, domain.OutcomeCancelled, 0, false),
		Entry("without a yes", ports.Answer{}, domain.ErrNotConfirmed, domain.OutcomeRefused, 0, false),
		Entry("that the user declined", ports.Answer{}, &domain.NotConfirmedError{Answer: domain.ConfirmationDeclined}, domain.OutcomeDeclined, 0, false),
		Entry("of a tool that does not exist", ports.Answer{}, domain.ErrToolNotFound, domain.OutcomeRefused, 0, true),
		Entry("of a server that is down", ports.Answer{}, domain.ErrServerUnavailable, domain.OutcomeError, 0, false),
		Entry("that failed otherwise", ports.Answer{}, errors.New("odd"), domain.OutcomeError, 0, false),
	)

	It("has a call whose result was cut once it is known how much of it is shown", spec.InBubble(func(t *testing.T) {
		told := &observed{}
		var passed ports.Answer
		observeUse(told, ports.ToolCall{Intent: ports.Intent{Fitted: true}}, ports.Answer{Result: result}, nil, func(answer ports.Answer, _ error) { passed = answer })
		Expect(told.activities).To(BeEmpty())

		passed.Shown(5)

		Expect(told.activities).To(HaveLen(1))
		Expect(told.activities[0]).To(And(HaveField("Received", len(result)), HaveField("Shown", 5)))
	}))

	It("has a failed call whose result would be cut", spec.InBubble(func(t *testing.T) {
		told := &observed{}
		observeUse(told, ports.ToolCall{Intent: ports.Intent{Fitted: true}}, ports.Answer{}, domain.ErrTimedOut, func(ports.Answer, error) {})
		Expect(told.activities).To(HaveExactElements(HaveField("Outcome", domain.OutcomeTimeout)))
	}))

	DescribeTable("has each opening with its outcome", func(err error, outcome domain.Outcome, unknown bool) {
		spec.Bubble(func(t *testing.T) {
			told := &observed{}
			observeOpen(told, domain.OpenedToolbox{}, err)
			Expect(told.activities).To(HaveExactElements(domain.Activity{
				Kind: domain.ActivityOpen, Time: time.Now(), Tool: domain.ToolIdentifier{Toolbox: "dev"}, Unknown: unknown,
				Outcome: outcome, Duration: time.Second,
			}))
		})
	},
		Entry("that worked", nil, domain.OutcomeOK, false),
		Entry("without a server", domain.ErrAllServersFailed, domain.OutcomeError, false),
		Entry("of a toolbox that does not exist", domain.ErrToolboxNotFound, domain.OutcomeRefused, true),
	)

	It("has the tools of the servers that an opening finds", spec.InBubble(func(t *testing.T) {
		git := domain.ServerID{Toolbox: "dev", Server: "git"}
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{ID: git, Tools: []domain.ToolInfo{{Name: "log"}}},
			{ID: domain.ServerID{Toolbox: "dev", Server: "lost"}, Failure: errors.New("down")},
		}}
		told := &observed{}
		observeOpen(told, opened, nil)
		Expect(told.tools).To(Equal(map[domain.ServerID][]domain.ToolInfo{git: {{Name: "log"}}}))
	}))

	It("is told to several observers", func() {
		first, second := &observed{}, &observed{}
		application.ActivityObservers{first, second}.Observe(domain.Activity{Kind: domain.ActivityEnd})
		Expect(first.activities).To(HaveLen(1))
		Expect(second.activities).To(HaveLen(1))
	})
})
