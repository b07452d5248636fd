package status_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

var _ = Describe("The numbers of a host", func() {
	tool := domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}
	shown := func(activities ...domain.Activity) status.Server {
		GinkgoHelper()
		numbers := &status.Numbers{}
		for _, activity := range activities {
			if activity.Tool == (domain.ToolIdentifier{}) {
				activity.Tool = tool
			}
			numbers.Observe(activity)
		}
		board := status.NewBoard("1", "", nil)
		board.Add(connection(numbers, "git"))
		return board.Snapshot().Hosts[0].Servers[0]
	}
	call := func(outcome domain.Outcome) domain.Activity {
		return domain.Activity{Kind: domain.ActivityCall, Outcome: outcome, Duration: time.Millisecond}
	}

	It("count calls, errors and restarts", func() {
		Expect(shown(
			call(domain.OutcomeOK), call(domain.OutcomeToolError), call(domain.OutcomeTimeout), call(domain.OutcomeError),
			domain.Activity{Kind: domain.ActivityRestart, Outcome: domain.OutcomeOK}, domain.Activity{Kind: domain.ActivityStart, Outcome: domain.OutcomeOK},
		)).To(And(HaveField("Calls", int64(4)), HaveField("Errors", int64(3)), HaveField("Restarts", 1), HaveField("P95", HaveValue(BeNumerically("~", 1, 0.125)))))
	})

	It("count calls that were cancelled, refused or declined, but not their time or an error, and none of unknown tools", func() {
		Expect(shown(
			call(domain.OutcomeCancelled), call(domain.OutcomeRefused), call(domain.OutcomeDeclined),
			domain.Activity{Kind: domain.ActivityCall, Outcome: domain.OutcomeError, Unknown: true},
		)).To(And(HaveField("Calls", int64(3)), HaveField("Errors", int64(0)), HaveField("P50", BeNil()), HaveField("LastError", BeNil())))
	})

	It("have the last error, whether of a call or of the server", func() {
		failed := call(domain.OutcomeError)
		failed.Code = -32602
		Expect(shown(failed, call(domain.OutcomeOK)).LastError).To(HaveValue(And(HaveField("Tool", "log"), HaveField("Code", -32602), HaveField("Kind", "call"))))
		end := domain.Activity{Kind: domain.ActivityEnd, Outcome: domain.OutcomeError, Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "git"}}
		Expect(shown(failed, end).LastError).To(HaveValue(And(HaveField("Tool", ""), HaveField("Kind", "end"))))
	})

	It("count at most 4,096 servers", func() {
		numbers := &status.Numbers{}
		for i := range 5000 {
			activity := call(domain.OutcomeOK)
			activity.Tool.Server = domain.ServerName(fmt.Sprint("s", i))
			activity.Tool.Toolbox = "dev"
			numbers.Observe(activity)
		}
		board := status.NewBoard("1", "", nil)
		board.Add(connection(numbers, "s1", "s4500"))
		servers := board.Snapshot().Hosts[0].Servers
		Expect([]int64{servers[0].Calls, servers[1].Calls}).To(Equal([]int64{1, 0}))
	})
})
