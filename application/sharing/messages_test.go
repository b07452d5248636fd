package sharing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sharing"
	"mcp-workbench/ports"
)

const logged = "log message"

var _ = Describe("A message of a shared server", func() {
	It("goes to the host whose request it is about, in order", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls(`"of a"`)
		b.calls(`"of b"`)
		a.asks("prompts/get", `{"name":"x"}`)
		calls := w.session(0).requestsFor("tools/call")

		for i, call := range calls {
			bytes := fmt.Appendf(nil, "%d", i)
			call.progress(ports.Progress{Before: bytes})
			clear(bytes)
		}
		calls[1].answers(calls[1].params)
		calls[0].reply(ports.Answer{Error: json.RawMessage(`{"code":1}`)}, nil)
		w.session(0).requestsFor("prompts/get")[0].answers(`"prompt"`)

		Expect(a.hears()).To(Equal([]string{"progress 0", `error {"code":1}`, `got "prompt"`}))
		Expect(b.hears()).To(Equal([]string{"progress 1", `got "of b"`}))
	}))

	It("goes to all hosts if it is about a changed list or the log", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		var expected []string
		for _, kind := range []ports.NotificationKind{ports.ToolsChanged, ports.PromptsChanged, ports.ResourcesChanged, ports.LogMessage} {
			w.session(0).says(kind, `{"x":1.0}`)
			params := ""
			if kind == ports.LogMessage {
				params = `{"x":1.0}`
			}
			expected = append(expected, kind.String()+" "+params)
		}
		Expect(a.hears()).To(Equal(expected))
		Expect(b.hears()).To(Equal(expected))
	}))

	It("is dropped when it does not tell which host it is for", inWorld(func(w *world) {
		a := w.joins()
		for _, kind := range []ports.NotificationKind{
			ports.ElicitationComplete, ports.UnknownNotification, ports.ResourceUpdated, ports.TaskStatus,
		} {
			w.session(0).says(kind, `{"uri":"file:///a","taskId":"t"}`)
			w.session(0).says(kind, `[]`)
		}
		Expect(a.hears()).To(BeEmpty())
	}))

	It("does not reach a host that has left", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.leaves(w.t)
		w.session(0).says(ports.LogMessage, "{}")
		Expect(a.hears()).To(BeEmpty())
		Expect(b.hears()).To(HaveLen(1))
	}))

	It("reaches its host, even if thousands come at the same time", inWorld(func(w *world) {
		a := w.joins()
		for i := range 2000 {
			w.session(0).says(ports.LogMessage, strconv.Itoa(i))
		}
		heard := a.hears()
		Expect(heard).To(HaveLen(2000))
		Expect(heard[1999]).To(Equal(logged + " 1999"))
	}))

	It("waits a second for a host that does not read, but only once, so that the host misses log messages before anything else",
		inWorld(func(w *world) {
			stuck := w.joinsAs(&fakeHost{reads: make(chan struct{})})
			quick := w.joins()
			stuck.calls("{}")
			begun := time.Now()
			for i := range 2000 {
				w.session(0).says(ports.LogMessage, strconv.Itoa(i))
				w.session(0).requestsFor("tools/call")[0].progress(ports.Progress{Before: []byte("{}")})
				w.session(0).says(ports.ToolsChanged, "{}")
			}
			w.session(0).requestsFor("tools/call")[0].answers(`"at last"`)
			changed := "tools changed "
			Expect(slices.DeleteFunc(quick.hears(), func(heard string) bool { return heard == changed })).To(HaveLen(2000))
			Expect(time.Since(begun)).To(Equal(time.Second))
			Expect(stuck.hears()).To(BeEmpty())

			close(stuck.host.reads)

			heard := stuck.hears()
			Expect(len(heard)).To(BeNumerically("<", 300))
			Expect(heard[len(heard)-1]).To(Equal(`got "at last"`))
			Expect(heard).To(ContainElement(changed))
			w.session(0).says(ports.LogMessage, "again")
			Expect(stuck.hears()).To(ContainElement(logged + " again"))
		}))

	It("does not keep a host that reads nothing from leaving, and then no longer reaches it", inWorld(func(w *world) {
		stuck := w.joinsAs(&fakeHost{reads: make(chan struct{})})
		w.joins()
		w.session(0).says(ports.LogMessage, "1")
		w.session(0).says(ports.LogMessage, "2")
		synctest.Wait()
		ctx, cancel := context.WithCancel(w.t.Context())
		cancel()
		Expect(stuck.Close(ctx)).To(Succeed())
		close(stuck.host.reads)
		Expect(stuck.hears()).To(Equal([]string{logged + " 1"}), "it was being passed on")
	}))

	It("is dropped if it answers a call that its host gave up, and other calls continue", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		ctx, cancel := context.WithCancel(w.t.Context())
		a.CallTool(ctx, ports.ToolCall{}, a.host.reply)
		b.calls("{}")

		cancel()

		Expect(a.hears()).To(Equal([]string{"failed: context canceled"}))
		calls := w.session(0).requestsFor("tools/call")
		Expect(calls[0].ctx.Err()).To(HaveOccurred())
		Expect(calls[1].ctx.Err()).NotTo(HaveOccurred())
		calls[0].answers(`"late"`)
		Expect(a.hears()).To(HaveLen(1))
	}))
})

var _ = Describe("A change of a host's roots", func() {
	It("is not passed on to a server that others share", inWorld(func(w *world) {
		a := w.joins()
		a.AnnounceRootsChanged() // the fake session would panic
	}))
})

var _ = Describe("Tasks of a shared server", func() {
	makes := func(w *world, g guest, task string) {
		before := len(w.session(0).requestsFor("tools/call"))
		g.calls("{}")
		w.session(0).requestsFor("tools/call")[before].reply(ports.Answer{Result: json.RawMessage("{}"), Task: task}, nil)
	}

	It("are those of the host whose call made them", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		makes(w, a, "of a")
		makes(w, b, "of b")
		w.session(0).says(ports.TaskStatus, `{"taskId":"of a"}`)
		Expect(a.hears()).To(Equal([]string{"got {}", `task status {"taskId":"of a"}`}))
		Expect(b.hears()).To(Equal([]string{"got {}"}))

		for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel", "tasks/update"} {
			a.asks(method, `{"taskId":"of a"}`)
			w.session(0).requestsFor(method)[0].answers(`"` + method + `"`)
			Expect(a.hears()).To(ContainElement(`got "` + method + `"`))
		}
	}))

	It("are unknown to all other hosts, whatever the request", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		makes(w, a, "t")
		for _, method := range []string{"tasks/get", "tasks/x"} {
			for _, task := range []string{"t", "u", "T"} {
				b.asks(method, `{"taskId":"`+task+`"}`)
			}
			Expect(w.session(0).requestsFor(method)).To(BeEmpty(), method)
		}
		heard := b.hears()
		Expect(heard).To(HaveLen(2 * 3))
		Expect(heard).To(HaveEach("failed: task not found"))
	}))
})

var _ = Describe("The log level of a shared server", func() {
	It("is the lowest that any host wants, and rises when that host leaves", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.SetLogLevel("error")
		b.SetLogLevel("info")
		c := w.joins()
		c.SetLogLevel("warning")
		Expect(w.session(0).heard()).To(Equal([]string{"debug", "info", "debug", "info"}),
			"a host that set no level gets what the server sends by itself")

		b.leaves(w.t)
		Expect(w.session(0).heard()[4:]).To(Equal([]string{"warning"}))
		c.leaves(w.t)
		Expect(w.session(0).heard()[5:]).To(Equal([]string{"error"}))
		a.leaves(w.t)
		Expect(w.session(0).heard()).To(HaveLen(6))
	}))

	It("is the server's default while no host has set one", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls("{}")
		b.leaves(w.t)
		Expect(w.session(0).heard()).To(BeEmpty())
	}))

	It("is lower only during a call that wants it", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.SetLogLevel("error")
		b.SetLogLevel("critical")
		Expect(w.session(0).heard()).To(Equal([]string{"debug", "error"}))
		wants := ports.ToolCall{LogLevel: "info"}
		b.CallTool(w.t.Context(), wants, b.host.reply)
		b.CallTool(w.t.Context(), wants, b.host.reply)
		b.Request(w.t.Context(), ports.Request{Message: ports.Message{Method: "prompts/get"}, LogLevel: "debug"}, b.host.reply)
		b.CallTool(w.t.Context(), ports.ToolCall{LogLevel: "emergency"}, b.host.reply)
		Expect(w.session(0).heard()[2:]).To(Equal([]string{"info", "debug"}))
		calls := w.session(0).requestsFor("tools/call")
		Expect(calls[0].level + w.session(0).requestsFor("prompts/get")[0].level).To(BeEmpty())

		w.session(0).requestsFor("prompts/get")[0].answers("{}")
		calls[0].answers("{}")
		Expect(w.session(0).heard()[4:]).To(Equal([]string{"info"}))
		calls[1].answers("{}")
		Expect(w.session(0).heard()[5:]).To(Equal([]string{"error"}))
		calls[2].answers("{}")
		Expect(w.session(0).heard()).To(HaveLen(6))
	}))

	It("is not that of a call that ended before its level was noted", inWorld(func(w *world) {
		a := w.joins()
		a.SetLogLevel("error")

		sharing.BeginLate(a.Session, "debug")

		Expect(w.session(0).heard()).To(Equal([]string{"error"}))
	}))

	It("is sent to the server again after a restart", inWorld(func(w *world) {
		a := w.joins()
		a.SetLogLevel("error")
		w.session(0).lose("it died")
		a.leaves(w.t)
		b := w.joins()
		b.SetLogLevel("error")
		Expect(w.session(1).heard()).To(Equal([]string{"error"}))
	}))
})
