package httpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// get11 returns a GET of HTTP/1.1 of a session with lines of its own in the head.
func (h *olderHost) get11(lines string) string {
	return "GET /mcp HTTP/1.1\r\nHost: x\r\nMcp-Session-Id: " + h.session + "\r\n" + lines + "\r\n"
}

// reading is a stream while its body is read.
type reading struct {
	*http.Response
	body chan string
	err  error // of the end of the body, before which it is not looked at
}

// stream reads the head of a stream, and its body from then on.
func (w *wire) stream() *reading {
	GinkgoHelper()
	response, err := http.ReadResponse(w.in, nil)
	Expect(err).NotTo(HaveOccurred())
	Expect(response.StatusCode).To(Equal(200))
	r := &reading{Response: response, body: make(chan string, 1)}
	go func() {
		var text []byte
		text, r.err = io.ReadAll(response.Body)
		r.body <- string(text)
	}()
	return r
}

// expectWhole expects that the stream has ended as it should, with a text in it.
func (r *reading) expectWhole(text string) {
	GinkgoHelper()
	synctest.Wait()
	Expect(r.body).To(Receive(And(MatchRegexp(`^(: alive\n\n)*(id: 0-1\n)?data: {`), ContainSubstring(text))))
	Expect(r.err).NotTo(HaveOccurred())
	Expect(r.Body.Close()).To(Succeed())
}

// notify sends a host what belongs to none of its requests.
func (h *olderHost) notify(params string) {
	h.handler.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged, Params: []byte(params)})
	synctest.Wait()
}

var _ = Describe("A stream that a host keeps open", func() {
	// serving runs a spec with a host that has a session, over pipes in a bubble.
	serving := func(body func(h *olderHost, p *port)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			h := d.open().connect(anonymous)
			p, end := d.listenOn()
			body(h, p)
			end()
		})
	}
	// end deletes the session of a host.
	end := func(h *olderHost) { h.handler.begin(h.caller, "DELETE", h.headers(), "") }

	It("lasts longer than requests may take to arrive, and ends complete with its session", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send(h.get11(""))
		response := w.stream()
		Expect(response.TransferEncoding).To(Equal([]string{"chunked"}))
		large := `{"x":"` + strings.Repeat("é", 100_000) + `"}`

		time.Sleep(time.Minute)
		h.notify(large)
		h.notify(`{}`)
		end(h)

		response.expectWhole(large + "}\n\nid: 0-2\n")
	}))

	It("works over HTTP/1.0 as well", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send("GET /mcp HTTP/1.0\r\nHost: x\r\nMcp-Session-Id: " + h.session + "\r\n\r\n")
		response := w.stream()
		Expect(response.TransferEncoding).To(BeEmpty())

		h.notify(`{"x":1}`)
		end(h)

		response.expectWhole(`"params":{"x":1}}` + "\n\n")
	}))

	It("can be requested with a body", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send(h.get11("Content-Length: 4\r\n") + "body")
		response := w.stream()

		h.notify(`{"x":1}`)
		end(h)

		response.expectWhole(`"params":{"x":1}}` + "\n\n")
	}))

	It("ends when the host disconnects, which gets the rest when it returns", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send(h.get11(""))
		w.stream()
		Expect(w.Close()).To(Succeed())
		synctest.Wait()
		h.notify(`{"x":1}`)

		again := p.dial()
		again.send(h.get11(""))
		response := again.stream()
		end(h)

		response.expectWhole(`"params":{"x":1}}` + "\n\n")
	}))

	It("gets its last messages at the end of the workbench", serving(func(h *olderHost, p *port) {
		w := p.dial()
		body := request(`"s"`, "subscriptions/listen", `{"notifications":{"resourcesListChanged":true},"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)
		w.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\n" +
			"Mcp-Method: subscriptions/listen\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n\r\n" + body)
		response := w.stream()
		waiting, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()

		h.handler.Close()
		Expect(p.server.Shutdown(waiting)).To(Succeed())

		response.expectWhole(`"id":"s","result":`)
	}))

	It("does not delay the end when it is not read", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send(h.get11(""))
		_, err := w.in.ReadString('\n') // of the head
		Expect(err).NotTo(HaveOccurred())
		h.notify(`{}`)
		began := time.Now()
		h.handler.Close()
		waiting, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()

		Expect(p.server.Shutdown(waiting)).To(MatchError(context.DeadlineExceeded))

		Expect(time.Since(began)).To(Equal(time.Second))
		Expect(w.Close()).To(Succeed())
	}))

	It("ends with the access of its caller, as requests do", spec.InBubble(func(*testing.T) {
		revoked := make(chan struct{})
		d := newTestHandler().open()
		h := d.connect(callers.Access{Identity: "ann", Revoked: revoked})
		stream, silent := h.get(), d.useModern(h.caller, "a", "1")
		call := d.host().last()
		Expect(stream.isOver()).To(BeFalse())

		close(revoked)
		synctest.Wait()

		Expect(stream.isOver()).To(BeTrue())
		Expect(silent.isOver()).To(BeTrue())
		Expect(call.ctx.Err()).To(HaveOccurred())
	}))
})
