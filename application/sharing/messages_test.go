package sharing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

var _ = Describe("Beside a host that does not read", Label("SH07"), func() {
	const (
		listChanged = "resources changed "
		folder      = `{"uri":"file:///d"}`
	)
	// begin returns a host that does not read, and one that does. Both are subscribed to a folder.
	begin := func(w *world) (stuck, quick guest) {
		stuck, quick = w.joinsAs(&fakeHost{reads: make(chan struct{})}), w.joins()
		for _, g := range []guest{stuck, quick} {
			g.asks(subscribe, folder)
		}
		w.session(0).requestsFor(subscribe)[0].answers("{}")
		return stuck, quick
	}
	// size returns the number of bytes in what a host has received.
	size := func(heard []string) (size int) {
		for _, text := range heard {
			size += len(text)
		}
		return size
	}
	long := strings.Repeat("x", 200<<10)

	DescribeTable("updates with 200 KB each take a MiB, whatever has the bytes; others get all of them",
		func(update func(i int) string, number int) {
			inWorld(func(w *world) {
				stuck, quick := begin(w)
				began := time.Now()
				for i := range number {
					w.session(0).says(ports.ResourceUpdated, update(i))
				}
				Expect(time.Since(began)).To(BeNumerically("<=", time.Second))
				Expect(quick.hears()).To(HaveLen(1 + number))

				close(stuck.host.reads)

				heard := stuck.hears()
				Expect(size(heard)).To(BeNumerically("<", 2<<20))
				Expect(heard).To(ContainElement(ContainSubstring("/" + strconv.Itoa(number-1))))
			})()
		},
		Entry("the address", func(i int) string { return fmt.Sprintf(`{"uri":"file:///d/%d/%s"}`, i, long) }, 50),
		Entry("_meta", func(i int) string { return fmt.Sprintf(`{"uri":"file:///d/%d","_meta":{"x":%q}}`, i, long) }, 50),
		Entry("another member", func(i int) string { return fmt.Sprintf(`{"uri":"file:///d/%d","x":%q}`, i, long) }, 50),
		Entry("the address, 2,500 times", Label("large"),
			func(i int) string { return fmt.Sprintf(`{"uri":"file:///d/%d/%s"}`, i, long) }, 2500),
	)

	It("updates of 30,000 resources are 256, so that none is compared with thousands, and one list change for the others", inWorld(func(w *world) {
		stuck, quick := begin(w)
		const number = 30_000
		began := time.Now()
		for i := range number {
			w.session(0).says(ports.ResourceUpdated, fmt.Sprintf(`{"uri":"file:///d/%d"}`, i))
		}
		Expect(time.Since(began)).To(BeNumerically("<=", time.Second))
		Expect(quick.hears()).To(HaveLen(1 + number))

		close(stuck.host.reads)

		heard := stuck.hears()
		Expect(len(heard)).To(BeNumerically("<=", 256+3), "with the answer, an update that was being passed on, and the list change")
		Expect(heard[len(heard)-1]).To(Equal(fmt.Sprintf(`resource updated {"uri":"file:///d/%d"}`, number-1)))
		Expect(heard).To(ContainElement(listChanged))
		Expect(quick.hears()).NotTo(ContainElement(listChanged))
	}))

	It("the server waits a second for all such hosts together", inWorld(func(w *world) {
		var stuck []guest
		for range 10 {
			stuck = append(stuck, w.joinsAs(&fakeHost{reads: make(chan struct{})}))
		}
		began := time.Now()
		for i := range 2000 {
			w.session(0).says(ports.LogMessage, strconv.Itoa(i))
		}
		Expect(time.Since(began)).To(Equal(time.Second))
		for _, g := range stuck {
			close(g.host.reads)
		}
	}))

	It("log messages with 200 KB each take a MiB", inWorld(func(w *world) {
		stuck, quick := begin(w)
		for range 50 {
			w.session(0).says(ports.LogMessage, long)
		}
		Expect(quick.hears()).To(HaveLen(1 + 50))
		close(stuck.host.reads)
		Expect(size(stuck.hears())).To(BeNumerically("<", 2<<20))
	}))

	It("the newest message about a resource, a task or a list is the one that arrives", inWorld(func(w *world) {
		stuck, _ := begin(w)
		stuck.calls("{}")
		w.session(0).requestsFor("tools/call")[0].reply(ports.Answer{Result: []byte("{}"), Task: "t"}, nil)
		for i := range 5 {
			w.session(0).says(ports.ResourceUpdated, fmt.Sprintf(`{"uri":"file:///d/a","_meta":{"n":%d}}`, i))
			w.session(0).says(ports.TaskStatus, fmt.Sprintf(`{"taskId":"t","status":"%d"}`, i))
			w.session(0).says(ports.ToolsChanged, fmt.Sprintf(`{"n":%d}`, i))
		}

		close(stuck.host.reads)

		Expect(stuck.hears()).To(HaveExactElements(
			"got {}", "got {}", `resource updated {"uri":"file:///d/a","_meta":{"n":4}}`, `task status {"taskId":"t","status":"4"}`, "tools changed ",
		))
	}))

	It("answers and list changes arrive, and the status of a task gives way without a list change", inWorld(func(w *world) {
		stuck, _ := begin(w)
		for i := range 300 {
			stuck.calls("{}")
			w.session(0).requestsFor("tools/call")[i].reply(ports.Answer{Result: []byte("{}"), Task: strconv.Itoa(i)}, nil)
		}
		w.session(0).says(ports.PromptsChanged, "")
		for i := range 300 {
			w.session(0).says(ports.TaskStatus, fmt.Sprintf(`{"taskId":"%d"}`, i))
		}

		close(stuck.host.reads)

		heard := stuck.hears()
		Expect(heard).To(HaveLen(1 + 300 + 1 + 256))
		Expect(heard).To(ContainElement("prompts changed "))
		Expect(heard).NotTo(ContainElement(listChanged))
	}))

	It("a message that is longer than a MiB arrives if it is alone", inWorld(func(w *world) {
		stuck, _ := begin(w)
		w.session(0).says(ports.ResourceUpdated, `{"uri":"file:///d/`+strings.Repeat("x", 2<<20)+`"}`)
		close(stuck.host.reads)
		Expect(stuck.hears()).To(HaveLen(2))
	}))
})

var _ = Describe("A message of a shared server to several hosts", Label("SH07"), func() {
	It("has the members that the protocol has for it", inWorld(func(w *world) {
		a := w.joins()
		a.asks(subscribe, `{"uri":"file:///d"}`)
		w.session(0).requestsFor(subscribe)[0].answers("{}")
		w.session(0).says(ports.ResourceUpdated, `{"x":1,"uri":"file:///d","_meta":{"y":1.0},"URI":"z"}`)
		w.session(0).says(ports.ResourcesChanged, `{"x":1,"_meta":{}}`)
		Expect(a.hears()[1:]).To(Equal([]string{`resource updated {"uri":"file:///d","_meta":{"y":1.0}}`, "resources changed "}))
	}))
})
