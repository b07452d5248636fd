package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A call that opens its toolbox", Label("M12"), func() {
	DescribeTable("is made once it is open, with its own bytes, whatever arrived in their place meanwhile",
		func(always, opens, closedMeanwhile bool) {
			spec.Bubble(func(t *testing.T) {
				w := startDynamic(t, toolbox("dev", "files"))
				w.opensOnUse = application.OpensOnUse(always)
				w.wire(nil, w.registrations)
				w.closer = application.NewToolboxCloser(w.catalog, w.opened, w.sessions, w.registrations)
				if closedMeanwhile {
					w.opens("dev")
					w.server("files").die()
				}
				w.server("files").startup = 10 * time.Second
				buffer := []byte(`{"path":"a"}|"task":{}|"trace":"own"`)

				received := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{
					Arguments: json.RawMessage(buffer[:12]), ExtraParams: json.RawMessage(buffer[13:22]), Meta: json.RawMessage(buffer[23:]),
					Intent: ports.Intent{Opens: opens},
				})
				copy(buffer, `{"path":"b"}|"task":12|"trace":"foe"`) // the next message, of another host
				time.Sleep(time.Second)
				if closedMeanwhile {
					w.closes("dev")
				}
				time.Sleep(time.Minute)

				Expect(received.result()).To(Equal(`"read"`))
				made := w.server("files").session().seen().calls[0]
				Expect(string(made.Arguments) + "|" + string(made.ExtraParams) + "|" + string(made.Meta)).To(Equal(`{"path":"a"}|"task":{}|"trace":"own"`))
			})
		},
		Entry("with openOnUse", true, false, false),
		Entry("as a call of a page", false, true, false),
		Entry("after it was closed while the call waited for its server", true, false, true),
	)

	It("starts and waits for its own server only, even while the toolbox is being opened", spec.InBubble(func(t *testing.T) {
		for _, isOpening := range []bool{false, true} {
			w := startOpening(t, toolbox("dev", "hung", "files"))
			w.server("hung").startup = time.Hour
			if isOpening {
				go func() { _, _ = w.open("dev") }()
				synctest.Wait()
			}

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.result()).To(Equal(`"read"`))
			Expect(w.server("hung").started() > 0).To(Equal(isOpening))
			Expect(w.opens("dev").Connected()).To(Equal(1), "an opening starts the others")
			Expect(w.server("files").started()).To(Equal(1))
			w.close(time.Second)
		}
	}))

	It("waits for a server as calls in open toolboxes do, and is answered before hosts give up", spec.InBubble(func(t *testing.T) {
		w := startOpening(t, toolbox("dev", "slow", "hung"))
		w.server("slow").startup, w.server("hung").startup = 40*time.Second, time.Hour
		slow, hung := w.use("slow", "read"), w.use("hung", "read")
		time.Sleep(49 * time.Second)
		Expect(slow.result()).To(Equal(`"read"`))
		Expect(timesOf(hung.received())).To(BeZero())

		time.Sleep(2 * time.Second)
		Expect(domain.Reason(hung.failure())).To(Equal("still starting after 50s"))
		again := w.use("hung", "read")
		time.Sleep(6 * time.Second)
		Expect(domain.Reason(again.failure())).To(Equal("still starting after 56s"), "it has waited long enough")
		Expect(w.server("hung").started()).To(Equal(1))
	}))

	It("waits as long as an opening may take, and a caller with patience for the whole start", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "hung")
		dev.Servers[0].Limits.OpenReply = 100 * time.Second
		w := startOpening(t, dev)
		w.server("hung").startup, w.server("hung").failure = 110*time.Second, errors.New("no")

		patient := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "hung", Tool: "read"}, ports.ToolCall{Intent: ports.Intent{Waits: true}})
		Expect(domain.Reason(w.waits("hung"))).To(Equal("still starting after 100s"))
		time.Sleep(time.Minute)
		Expect(patient.failure()).To(MatchError("no"))
	}))

	It("waits for the whole start while its host is told so", spec.InBubble(func(t *testing.T) {
		w := startOpening(t, toolbox("dev", "hung", "slow"))
		w.server("hung").startup, w.server("slow").startup = time.Hour, 70*time.Second
		told, slow := useTold(w, "hung")
		_, up := useTold(w, "slow")

		time.Sleep(11 * time.Second)
		Expect(told()).To(Equal([]ports.Starting{
			{Servers: []domain.ServerID{{Toolbox: "dev", Server: "hung"}}, Waited: 5 * time.Second, Limit: 2 * time.Minute},
			{Servers: []domain.ServerID{{Toolbox: "dev", Server: "hung"}}, Waited: 10 * time.Second, Limit: 2 * time.Minute},
		}))
		time.Sleep(time.Minute)
		Expect(up.result()).To(Equal(`"read"`))
		time.Sleep(time.Minute)
		Expect(domain.Reason(slow.failure())).To(Equal("connection timeout after 120s"))
		reports := len(told())
		time.Sleep(time.Minute)
		Expect(told()).To(HaveLen(reports), "nothing is reported after the answer")
	}))

	It("opens nothing for a server that does not exist", spec.InBubble(func(t *testing.T) {
		w := startOpening(t, toolbox("dev", "files"))
		received := w.use("web", "read")
		synctest.Wait()
		Expect(received.failure()).To(MatchError(domain.ErrServerNotFound))
		Expect(w.opened.Names()).To(BeEmpty())
	}))

	It("tells other calls whether the host opened a toolbox at all", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"), toolbox("ops", "files"))
		Expect(w.use("files", "read").failure()).To(Equal(&domain.ToolboxNotOpenError{Toolbox: "dev", IsFirst: true}))
		w.opens("ops")
		Expect(w.use("files", "read").failure()).To(Equal(&domain.ToolboxNotOpenError{Toolbox: "dev"}))
	}))

	It("does not open it for other calls", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
	}))
})

// startOpening is start with calls that open toolboxes.
func startOpening(t *testing.T, toolboxes ...domain.Toolbox) *workbench {
	w := prepare(t, toolboxes...)
	w.opensOnUse = true
	w.wire(nil, nil)
	return w
}

// useTold is use for a host that is told which servers start. Told returns the reports.
func useTold(w *workbench, server domain.ServerName) (told func() []ports.Starting, received *outcome) {
	ctx, told := toldOfStarts(w.t.Context())
	return told, w.useWith(ctx, domain.ToolIdentifier{Toolbox: "dev", Server: server, Tool: "read"}, ports.ToolCall{})
}

// toldOfStarts returns the context of a request whose host is told which servers start. Told returns the reports.
func toldOfStarts(ctx context.Context) (telling context.Context, told func() []ports.Starting) {
	var mu sync.Mutex
	var reports []ports.Starting
	report := func(starting ports.Starting) {
		mu.Lock()
		defer mu.Unlock()
		reports = append(reports, starting)
	}
	return context.WithValue(ctx, ports.StartReportsKey{}, report), func() []ports.Starting {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(reports)
	}
}

// waits returns the failure of a call of a server that does not start in time.
func (w *workbench) waits(server domain.ServerName) error {
	received := w.use(server, "read")
	time.Sleep(101 * time.Second)
	return received.failure()
}

// timesOf returns how often a reply was called.
func timesOf(times int, _ ports.Answer, _ error) int { return times }
