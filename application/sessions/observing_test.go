package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The observer of sessions", func() {
	db := domain.ToolIdentifier{Toolbox: "dev", Server: "db"}

	It("is told of a start before the server is used, and of its end with the toolbox", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		Expect(w.uses("db")).To(Succeed())
		Expect(w.activities.recorded()).To(HaveLen(1))
		time.Sleep(time.Minute)
		w.close(time.Hour)
		synctest.Wait()

		Expect(w.activities.recorded()).To(HaveExactElements(
			And(HaveField("Kind", domain.ActivityStart), HaveField("Tool", db), HaveField("Outcome", domain.OutcomeOK)),
			And(HaveField("Kind", domain.ActivityEnd), HaveField("Tool", db), HaveField("Outcome", domain.OutcomeOK), HaveField("Duration", time.Minute)),
		))
	}))

	It("is told of a server that died, and of its restart", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		Expect(w.uses("db")).To(Succeed())
		w.servers["db"].die()
		synctest.Wait()
		Expect(w.uses("db")).To(Succeed())

		Expect(w.activities.recorded()).To(HaveExactElements(
			HaveField("Kind", domain.ActivityStart),
			And(HaveField("Kind", domain.ActivityEnd), HaveField("Outcome", domain.OutcomeError)),
			And(HaveField("Kind", domain.ActivityRestart), HaveField("Outcome", domain.OutcomeOK)),
		))
	}))

	It("is told of a server that does not start", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].fail("no such program")
		_, _ = w.connect("db")

		Expect(w.activities.recorded()).To(HaveExactElements(
			And(HaveField("Kind", domain.ActivityStart), HaveField("Tool", db), HaveField("Outcome", domain.OutcomeError)),
		))
	}))
})
