package ui_test

import (
	"bufio"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

var _ = Describe("The events of a page", func() {
	It("are the parts that changed, and news for the user", func() {
		var state atomic.Value
		state.Store("running")
		written := make(chan []activity.Entry)
		s := serve(ui.Sources{
			Record: record{written: written},
			Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer("dev", "git", state.Load().(string), "")}
			},
		}, everything)
		response := s.ask(http.MethodGet, "/ui/events?path=/ui/")
		DeferCleanup(response.Body.Close)
		Expect(response.Header.Get("Content-Type")).To(Equal("text/event-stream"))
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)

		nextEvent(lines, `["newest"`)
		written <- []activity.Entry{call("dev", "git", "<b>new</b>", time.Second, domain.OutcomeOK)}
		Expect(nextEvent(lines, `["newest"`)).To(ContainSubstring(`\u0026lt;b\u0026gt;new`))
		state.Store("failed")
		Expect(nextEvent(lines, "data: [\"\"")).To(ContainSubstring("dev/git failed"))
	})

	It("are sent to at most eight pages at a time, and end when the pages are closed", func() {
		s := serve(ui.Sources{}, everything)
		var open []*http.Response
		for range 8 {
			response := s.ask(http.MethodGet, "/ui/events?path=/ui/calls")
			DeferCleanup(response.Body.Close)
			Expect(response.StatusCode).To(Equal(http.StatusOK))
			open = append(open, response)
		}

		more := s.ask(http.MethodGet, "/ui/events?path=/ui/calls")
		Expect(more.Body.Close()).To(Succeed())
		Expect(more.StatusCode).To(Equal(http.StatusServiceUnavailable))
		s.pages.Close()
		for _, response := range open {
			lines := bufio.NewScanner(response.Body)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() { // to the end
			}
			Expect(lines.Err()).NotTo(HaveOccurred())
		}
	})

	It("end when the access of the viewer expires", func() {
		s := serveWith(ui.Sources{}, ui.Settings{
			Viewer: func(*http.Request) ui.Viewer { return everything },
			Access: func(*http.Request) (<-chan struct{}, time.Time) { return nil, time.Now() },
		})

		status, text := s.get("/ui/events?path=/ui/calls")

		Expect(status).To(Equal(http.StatusOK))
		Expect(text).To(HavePrefix(": hello")) // and ended
	})

	It("are not found for a page that does not exist", func() {
		status, _ := serve(ui.Sources{}, everything).get("/ui/events?path=/etc/passwd")
		Expect(status).To(Equal(http.StatusNotFound))
	})
})
