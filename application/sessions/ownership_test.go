package sessions_test

import (
	"encoding/json"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("What concerns the host of what a server says", Label("TQ04"), func() {
	good, evil := domain.ServerID{Toolbox: "g", Server: "good"}, domain.ServerID{Toolbox: "e", Server: "evil"}
	var ownership *sessions.Ownership
	BeforeEach(func() {
		ownership = sessions.NewOwnership()
		ownership.Subscribe("good://a/", good)
		ownership.Subscribe("evil://a", evil)
		ownership.AddTask("t", good)
	})

	DescribeTable("is", func(server domain.ServerID, method, params string, concerns bool) {
		Expect(ownership.Concerns(server, ports.Message{Method: method, Params: json.RawMessage(params)})).To(Equal(concerns))
	},
		Entry("a log message", evil, "notifications/message", `{}`, true),
		Entry("an update of what the host subscribed to there", good, "notifications/resources/updated", `{"uri":"good://a/"}`, true),
		Entry("one of a part of it", good, "notifications/resources/updated", `{"uri":"good:\/\/a/b"}`, true),
		Entry("none of another server", evil, "notifications/resources/updated", `{"uri":"good://a/"}`, false),
		Entry("an update without a subscription", evil, "notifications/resources/updated", `{"uri":"evil://b"}`, false),
		Entry("none of what begins alike", evil, "notifications/resources/updated", `{"uri":"evil://ab"}`, false),
		Entry("none that names two", evil, "notifications/resources/updated", `{"uri":"good://a/","uri":"evil://a"}`, false),
		Entry("none that names two in escapes", evil, "notifications/resources/updated", `{"u\u0072i":"good://a/","uri":"evil://a"}`, false),
		Entry("none that names two in other cases", evil, "notifications/resources/updated", `{"uri":"evil://a","Uri":"good://a/"}`, false),
		Entry("none without a name", evil, "notifications/resources/updated", `{"uri":7}`, false),
		Entry("none without parameters", evil, "notifications/resources/updated", ``, false),
		Entry("a task of it", good, "notifications/tasks/status", `{"taskId":"t"}`, true),
		Entry("no task of another one", evil, "notifications/tasks/status", `{"taskId":"t"}`, false),
		Entry("no other method", good, "notifications/initialized", `{}`, false),
	)

	It("is no task whose id two servers gave, from then on", func() {
		ownership.AddTask("t", evil)
		ownership.AddTask("t", good)

		_, known := ownership.Task("t")
		Expect(known).To(BeFalse())
	})

	It("is remembered of the last five thousand tasks at least, unless an id is very long", func() {
		for i := range 12_000 {
			ownership.AddTask(strconv.Itoa(i), evil)
		}
		ownership.AddTask(strings.Repeat("x", 5000), evil)

		for id, want := range map[string]bool{"7001": true, "0": false, strings.Repeat("x", 5000): false} {
			_, known := ownership.Task(id)
			Expect(known).To(Equal(want), "%.10s", id)
		}
	})
})
