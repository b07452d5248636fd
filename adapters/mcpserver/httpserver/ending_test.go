package httpserver_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("Ending the HTTP server", func() {
	It("does not wait for connections without a request", Label("M07"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		p, server := d.serve()
		unused, begun := p.dial(), p.dial()
		begun.send("POST /mcp HTTP/1.1\r\n")
		d.Close()
		from := time.Now()

		Expect(server.Shutdown(context.Background())).To(Succeed())

		Expect(time.Since(from)).To(BeNumerically("<", time.Second))
		Expect(unused.endsAfter()).To(BeZero())
		Expect(begun.endsAfter()).To(BeZero())
	}))

	It("waits for a response that is being read", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		p, server := h.handler.serve()
		reading := p.dial()
		reading.send(h.raw("Content-Length: 43", `{"jsonrpc":"2.0","id":"ok","method":"ping"}`))
		h.handler.Close()
		ended := make(chan error)
		go func() { ended <- server.Shutdown(context.Background()) }()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		Expect(ended).NotTo(Receive())

		code, body := reading.status()

		Expect(code).To(Equal(200), body)
		Expect(<-ended).NotTo(HaveOccurred())
	}))
})
