package application_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Using a tool of a server that is not up", func() {
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	Context("when the server dies during the call", func() {
		It("fails the call and never repeats it", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").calls = func(ports.ToolCall, ports.Reply) {}
			received := w.use("files", "read")

			w.server("files").die()
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrServerUnavailable))
			Expect(w.server("files").called()).To(Equal([]string{"read"}))
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(1))
		}))
	})

	Context("when the server died before", func() {
		It("starts it again first", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.result()).To(Equal(`"read"`))
			now, maxLive := w.server("files").alive()
			Expect(now).To(Equal(1))
			Expect(maxLive).To(Equal(1))
		}))

		It("starts it once for all concurrent callers", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = 5 * time.Second
			w.server("files").die()

			var outcomes []*outcome
			for range 20 {
				outcomes = append(outcomes, w.use("files", "read"))
			}
			w.opens("dev")
			synctest.Wait()

			for _, received := range outcomes {
				Expect(received.result()).To(Equal(`"read"`))
			}
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(2))
		}))

		It("does not start it for a tool that it does not have", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()

			Expect(w.use("files", "erase").failure()).To(MatchError(domain.ErrToolNotFound))
			synctest.Wait()
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(1))
		}))

		It("looks the tool up in the server's new list", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()
			w.server("files").offer("write")

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
			Expect(w.server("files").called()).To(BeEmpty())
		}))

		It("makes the call with the original bytes, even if the caller changes them meanwhile", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = time.Second
			w.server("files").die()
			line := []byte(`{"n":1}"a":1"b":2`)
			received := w.useWith(t.Context(), read, ports.ToolCall{
				Arguments: line[:7], ExtraParams: line[7:12], Meta: line[12:], FlushGroup: &flushGroup{},
			})

			copy(line, "#################")
			time.Sleep(time.Second)
			synctest.Wait()

			Expect(received.result()).To(Equal(`"read"`))
			call := w.server("files").session().seen().calls[0]
			Expect(call.Arguments).To(Equal(json.RawMessage(`{"n":1}`)))
			Expect(call.ExtraParams).To(Equal(json.RawMessage(`"a":1`)))
			Expect(call.Meta).To(Equal(json.RawMessage(`"b":2`)))
			Expect(call.FlushGroup).To(BeNil(), "a flush group is for use until UseTool returns")
		}))

		It("makes no call for a caller that gave up while the server starts", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = time.Minute
			w.server("files").die()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			received := w.useWith(ctx, read, ports.ToolCall{})

			time.Sleep(2 * time.Minute)
			synctest.Wait()

			Expect(received.failure()).To(MatchError(context.DeadlineExceeded))
			Expect(w.server("files").called()).To(BeEmpty())
		}))
	})

	Context("when the workbench is ending", func() {
		It("refuses and starts nothing", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.close(time.Second)

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrShuttingDown))
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(1))
		}))
	})
})

type flushGroup struct{}

func (*flushGroup) Add(interface{ Flush() }) {}
