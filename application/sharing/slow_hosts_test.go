package sharing_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
)

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
