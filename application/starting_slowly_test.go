package application_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// startPatient is start for a host that is known to wait longer than others.
func startPatient(t *testing.T, toolboxes ...domain.Toolbox) *workbench {
	w := start(t, toolboxes...)
	w.patience = 45 * time.Second
	return w
}

var _ = Describe("Opening a toolbox whose server starts slowly", func() {
	It("answers before any host gives up, or when the configuration says", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "slow", "bounded")
		tools.Servers[1].Limits.OpenReply = 2 * time.Second
		for patience, due := range map[time.Duration]string{0: "18s", 45 * time.Second: "45s"} {
			w := start(t, tools)
			w.patience = patience
			for _, name := range []domain.ServerName{"slow", "bounded"} {
				w.server(name).startup, w.server(name).start = time.Hour, &ports.Start{MayDownload: true}
			}

			opened, err := w.open("dev")

			Expect(err).To(MatchError(domain.ErrAllServersFailed))
			Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal("still starting after " + due))
			Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal("still starting after 2s"))
		}
	}))

	It("waits for whole starts while the host is told which servers start, unless the configuration says otherwise", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "bounded", "hung", "slow")
		tools.Servers[0].Limits.OpenReply = 2 * time.Second
		w := startPatient(t, tools)
		w.server("bounded").startup, w.server("slow").startup, w.server("hung").startup = time.Hour, 100*time.Second, time.Hour
		for _, name := range []domain.ServerName{"hung", "slow"} {
			w.server(name).start = &ports.Start{MayDownload: true}
		}
		ctx, told := toldOfStarts(t.Context())
		begun := time.Now()

		opened, err := w.opener.OpenToolbox(ports.WithOpening(ctx, ports.Opening{Patience: w.patience}), "dev")

		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(begun)).To(Equal(2 * time.Minute))
		Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal("still starting after 2s"))
		Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal("connection timeout after 120s"))
		Expect(opened.Servers[2].Tools).To(HaveLen(2))
		ids := func(names ...domain.ServerName) (ids []domain.ServerID) {
			for _, name := range names {
				ids = append(ids, domain.ServerID{Toolbox: "dev", Server: name})
			}
			return ids
		}
		Expect(len(told())).To(BeNumerically(">=", 23))
		Expect(told()[0]).To(Equal(ports.Starting{Servers: ids("bounded", "hung", "slow"), Waited: 5 * time.Second, Limit: 2 * time.Minute}))
		Expect(told()[21]).To(Equal(ports.Starting{Servers: ids("bounded", "hung"), Waited: 110 * time.Second, Limit: 2 * time.Minute}))
	}))

	It("answers when the reply is due and shows the server once it is up", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files", "slow"))
		w.server("slow").startup, w.server("slow").start = time.Minute, &ports.Start{MayDownload: true}
		begun := time.Now()

		opened := w.opens("dev")
		Expect(time.Since(begun)).To(Equal(45 * time.Second))
		Expect(opened.Connected()).To(Equal(1))
		Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal(
			"still starting after 45s"))

		time.Sleep(12 * time.Second)
		Expect(w.opens("dev").Connected()).To(Equal(2))
		Expect(time.Since(begun)).To(Equal(time.Minute))
		Expect(w.server("slow").started()).To(Equal(1))
	}))

	It("says that its package is still being installed, and that this continues", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files", "slow"))
		w.server("slow").startup, w.server("slow").start = time.Minute, &ports.Start{MayDownload: true, Installing: "a@1.2.3"}

		opened := w.opens("dev")

		Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal(
			"its package a@1.2.3 is still being installed after 45s"))
	}))

	It("reports a server that is still listing its tools as starting", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "slow")
		tools.Servers[0].Limits.OpenReply = 1500 * time.Millisecond
		w := startPatient(t, tools)
		w.server("slow").listing = 2 * time.Second

		opened, err := w.open("dev")
		Expect(err).To(MatchError(domain.ErrAllServersFailed))
		Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal("still starting after 1.5s"))

		Expect(w.opens("dev").Connected()).To(Equal(1))
	}))

	It("shows the known tools when the list of a server that is up comes late", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Minute
		w.server("files").sayToolsChanged()
		begun := time.Now()

		opened := w.opens("dev")

		Expect(time.Since(begun)).To(Equal(45 * time.Second))
		Expect(opened.Servers[0].Tools).To(HaveLen(2))
	}))

	It("waits for each server as long as the server's own limit", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "hasty", "patient")
		tools.Servers[0].Limits.OpenReply = time.Second
		w := startPatient(t, tools)
		w.server("hasty").startup, w.server("patient").startup = 5*time.Second, 10*time.Second

		opened := w.opens("dev")

		Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal("still starting after 1s"))
		Expect(opened.Servers[1].Failure).NotTo(HaveOccurred())
	}))

	DescribeTable("waits no longer than its servers need",
		func(files, slow time.Duration, reported *ports.Start, answered time.Duration, reason string) {
			spec.InBubble(func(t *testing.T) {
				w := startPatient(t, toolbox("dev", "files", "slow"))
				w.server("files").startup = files
				w.server("slow").startup, w.server("slow").start = slow, reported
				begun := time.Now()

				opened := w.opens("dev")

				Expect(time.Since(begun)).To(Equal(answered))
				if reason == "" {
					Expect(opened.Connected()).To(Equal(2))
					return
				}
				Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal("still starting after " + reason))
				if reported != nil && reported.Stderr != nil {
					Expect(opened.Servers[1].Failure).To(HaveField("Reason.Stderr", reported.Stderr()))
				}
			})()
		},
		Entry("when one needs longer than the usual time to start", time.Second, time.Hour, nil,
			20*time.Second, "20s"),
		Entry("when one comes up within the usual time", time.Second, 19*time.Second, nil, 19*time.Second, ""),
		Entry("when one is slower than another slow one", 18*time.Second, time.Hour, nil,
			23*time.Second, "23s"),
		Entry("when one comes up soon after another slow one", 30*time.Second, 34*time.Second, nil, 34*time.Second, ""),
		Entry("when one wrote the reason for its delay to stderr", time.Second, time.Hour,
			&ports.Start{Stderr: func() string { return "no route to host" }},
			20*time.Second, "20s"),
		Entry("when one may be downloading", time.Second, 44*time.Second, &ports.Start{MayDownload: true}, 44*time.Second, ""),
		Entry("when one downloads for too long", time.Second, time.Hour, &ports.Start{MayDownload: true},
			45*time.Second, "45s"),
		Entry("when the others are up just before the reply is due", 44*time.Second, time.Hour, nil,
			45*time.Second, "45s"),
	)

	It("waits until the reply is due while no server is up", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "broken", "slow"))
		w.server("broken").fail("it does not start")
		w.server("slow").startup = 44 * time.Second
		begun := time.Now()

		Expect(w.opens("dev").Connected()).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(44 * time.Second))
	}))

	It("does not treat the listing of tools as a download", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files", "slow"))
		w.server("files").startup = time.Second // until then, the other one is up and lists its tools
		w.server("slow").start, w.server("slow").listing = &ports.Start{MayDownload: true}, time.Hour
		begun := time.Now()

		Expect(w.opens("dev").Connected()).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(20 * time.Second))
	}))

	It("waits only for a short time when it is opened again during the same attempt", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files", "slow", "downloaded"))
		w.server("slow").startup, w.server("downloaded").startup = time.Hour, time.Hour
		w.server("downloaded").start = &ports.Start{MayDownload: true}
		w.opens("dev")
		begun := time.Now()

		opened := w.opens("dev")

		Expect(time.Since(begun)).To(Equal(5 * time.Second))
		for _, server := range opened.Servers[1:] {
			Expect(domain.Reason(server.Failure)).To(Equal("still starting after 50s"))
		}
		Expect(w.server("slow").started()).To(Equal(1))
	}))

	It("waits for the rest of the time when it is opened again early", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "files", "slow"))
		w.server("slow").startup = time.Hour
		begun := time.Now()
		w.opens("dev")
		Expect(time.Since(begun)).To(Equal(20 * time.Second))

		opened := w.opens("dev")

		Expect(time.Since(begun)).To(Equal(25 * time.Second))
		Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal("still starting after 25s"))
	}))

	It("waits for the last servers as long as limits.openGrace", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files", "slow")
		tools.Servers[1].Limits.OpenGrace = 30 * time.Second
		w := startPatient(t, tools)
		w.server("slow").startup = 31 * time.Second
		begun := time.Now()

		Expect(w.opens("dev").Connected()).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(30 * time.Second))
		Expect(w.opens("dev").Connected()).To(Equal(2))
	}))

	DescribeTable("gives up when the limit on connecting runs out, and tries again the next time",
		func(slow func(*fakeServer)) {
			spec.InBubble(func(t *testing.T) {
				tools := toolbox("dev", "slow")
				tools.Servers[0].Limits.OpenReply = time.Hour
				w := startPatient(t, tools)
				slow(w.server("slow"))
				begun := time.Now()

				opened, err := w.open("dev")

				Expect(err).To(MatchError(domain.ErrAllServersFailed))
				Expect(time.Since(begun)).To(Equal(2 * time.Minute))
				Expect(domain.Reason(opened.Servers[0].Failure)).To(Equal(
					"connection timeout after 120s"))
				synctest.Wait()
				Expect(w.server("slow").living()).To(BeZero())

				w.server("slow").startup, w.server("slow").listing = 0, 0
				Expect(w.opens("dev").Connected()).To(Equal(1))
			})()
		},
		Entry("while it starts", func(f *fakeServer) { f.startup = time.Hour }),
		Entry("while it lists its tools", func(f *fakeServer) { f.listing = time.Hour }),
	)

	It("leaves nothing running of a server that cannot list its tools", spec.InBubble(func(t *testing.T) {
		w := startPatient(t, toolbox("dev", "broken"))
		w.server("broken").refusal = errors.New("no list")

		opened, err := w.open("dev")

		Expect(err).To(MatchError(domain.ErrAllServersFailed))
		Expect(opened.Servers[0].Failure).To(MatchError("no list"))
		Expect(w.server("broken").living()).To(BeZero())
	}))
})
