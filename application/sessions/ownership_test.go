package sessions_test

import (
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("The ownership of resources and tasks", Label("TQ04"), func() {
	good, evil := domain.ServerID{Toolbox: "g", Server: "good"}, domain.ServerID{Toolbox: "e", Server: "evil"}
	var ownership *sessions.Ownership
	BeforeEach(func() {
		ownership = sessions.NewOwnership(sessions.Share{})
		ownership.Subscribe("good://a/", good)
		ownership.Subscribe("evil://a", evil)
		ownership.AddTask("t", good)
	})

	DescribeTable("decides whether a notification concerns the host:", func(server domain.ServerID, kind ports.NotificationKind, subject string, concerns bool) {
		Expect(ownership.Concerns(server, ports.Notification{Kind: kind, Subject: subject})).To(Equal(concerns))
	},
		Entry("a log message", evil, ports.LogMessage, "", true),
		Entry("an update of a resource that the host subscribed to there", good, ports.ResourceUpdated, "good://a/", true),
		Entry("an update of a part of that resource", good, ports.ResourceUpdated, "good://a/b", true),
		Entry("an update of a resource that it subscribed to at another server", evil, ports.ResourceUpdated, "good://a/", false),
		Entry("an update without a subscription", evil, ports.ResourceUpdated, "evil://b", false),
		Entry("an update of a resource whose URI begins in the same way", evil, ports.ResourceUpdated, "evil://ab", false),
		Entry("an update without a subject", evil, ports.ResourceUpdated, "", false),
		Entry("a status without a subject", evil, ports.TaskStatus, "", false),
		Entry("the status of a task of the server", good, ports.TaskStatus, "t", true),
		Entry("the status of a task of another server", evil, ports.TaskStatus, "t", false),
		Entry("any other kind", good, ports.UnknownNotification, "", false),
	)

	It("assigns a task to no server once two servers gave its id", func() {
		ownership.AddTask("t", evil)
		ownership.AddTask("t", good)

		_, known := ownership.Task("t")
		Expect(known).To(BeFalse())
	})

	It("remembers at least the last five thousand tasks, except very long ids", func() {
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
