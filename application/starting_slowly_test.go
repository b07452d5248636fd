package application_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Opening a toolbox whose server starts slowly", func() {
	It("answers when the reply is due and shows the server once it is up", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "slow"))
		w.server("slow").startup = time.Minute
		begun := time.Now()

		opened := w.opens("dev")
		Expect(time.Since(begun)).To(Equal(45 * time.Second))
		Expect(opened.Connected()).To(Equal(1))
		Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal(
			"still starting after 45s; open the toolbox again to see its tools"))

		Expect(w.opens("dev").Connected()).To(Equal(2))
		Expect(time.Since(begun)).To(Equal(time.Minute))
		starts, _ := w.server("slow").counts()
		Expect(starts).To(Equal(1))
	}))

	It("says so of a server that is still listing its tools", spec.InBubble(func(t *testing.T) {
		box := toolbox("dev", "slow")
		box.Servers[0].Limits.OpenReply = 1500 * time.Millisecond
		w := start(t, box)
		w.server("slow").listing = 2 * time.Second

		opened, err := w.open("dev")
		Expect(err).To(MatchError(domain.ErrAllServersFailed))
		Expect(domain.Reason(opened.Servers[0].Failure)).To(HavePrefix("still starting after 1.5s;"))

		Expect(w.opens("dev").Connected()).To(Equal(1))
	}))

	It("shows what is known when the list of a server that is up comes late", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Minute
		w.server("files").sayToolsChanged()
		begun := time.Now()

		opened := w.opens("dev")

		Expect(time.Since(begun)).To(Equal(45 * time.Second))
		Expect(opened.Servers[0].Tools).To(HaveLen(2))
	}))

	It("waits for each server as long as its own limit says", spec.InBubble(func(t *testing.T) {
		box := toolbox("dev", "hasty", "patient")
		box.Servers[0].Limits.OpenReply = time.Second
		w := start(t, box)
		w.server("hasty").startup, w.server("patient").startup = 5*time.Second, 10*time.Second

		opened := w.opens("dev")

		Expect(domain.Reason(opened.Servers[0].Failure)).To(HavePrefix("still starting after 1s;"))
		Expect(opened.Servers[1].Failure).NotTo(HaveOccurred())
	}))

	DescribeTable("gives up when the limit on connecting runs out, and tries anew the next time",
		func(slow func(*fakeServer)) {
			spec.InBubble(func(t *testing.T) {
				box := toolbox("dev", "slow")
				box.Servers[0].Limits.OpenReply = time.Hour
				w := start(t, box)
				slow(w.server("slow"))
				begun := time.Now()

				opened, err := w.open("dev")

				Expect(err).To(MatchError(domain.ErrAllServersFailed))
				Expect(time.Since(begun)).To(Equal(2 * time.Minute))
				Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal(
					"connection timeout after 120s (limits.connect raises it)"))
				synctest.Wait()
				now, _ := w.server("slow").alive()
				Expect(now).To(BeZero())

				w.server("slow").startup, w.server("slow").listing = 0, 0
				Expect(w.opens("dev").Connected()).To(Equal(1))
			})()
		},
		Entry("while it starts", func(f *fakeServer) { f.startup = time.Hour }),
		Entry("while it lists its tools", func(f *fakeServer) { f.listing = time.Hour }),
	)

	It("leaves nothing running of a server that cannot list its tools", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "broken"))
		w.server("broken").refusal = errors.New("no list")

		opened, err := w.open("dev")

		Expect(err).To(MatchError(domain.ErrAllServersFailed))
		Expect(opened.Servers[0].Failure).To(MatchError("no list"))
		now, _ := w.server("broken").alive()
		Expect(now).To(BeZero())
	}))
})
