package ui_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

// record is a record with stored entries. Those that are sent to written are added while it is followed.
type record struct {
	stored  []activity.Entry
	written chan []activity.Entry
}

func (r record) Follow(ctx context.Context, _ time.Time, add func([]activity.Entry), read func()) error {
	add(r.stored)
	read()
	for {
		select {
		case entries := <-r.written:
			add(entries)
		case <-ctx.Done():
			return nil
		}
	}
}

func call(toolbox, server, tool string, duration time.Duration, outcome domain.Outcome) activity.Entry {
	return activity.Entry{
		Kind: domain.ActivityCall, Outcome: outcome, Time: time.Now().Add(-time.Minute), Milliseconds: float64(duration) / float64(time.Millisecond),
		Host: "cursor", HostVersion: "3", Tokens: 10, Toolbox: toolbox, Server: server, Tool: tool,
	}
}

// runningServer returns the answer of a workbench whose host has a server in a state.
func runningServer(toolbox, server, state, identity string) status.Answer {
	return status.Answer{PID: 7, Snapshot: &status.Snapshot{PID: 7, Configuration: "/home/ann/config.json", Hosts: []status.Host{{
		Name: "host-of-" + identity, Identity: identity, Toolboxes: []string{toolbox},
		Servers: []status.Server{{Toolbox: toolbox, Name: server, State: state}},
	}}}}
}

// site serves pages.
type site struct {
	pages  *ui.Pages
	server *httptest.Server
}

func serve(sources ui.Sources, viewer ui.Viewer) *site {
	return serveWith(sources, ui.Settings{Version: "1", Viewer: func(*http.Request) ui.Viewer { return viewer }})
}

func serveWith(sources ui.Sources, settings ui.Settings) *site {
	pages := ui.New(sources, settings, slog.New(slog.DiscardHandler))
	s := &site{pages, httptest.NewServer(pages)}
	DeferCleanup(func() {
		pages.Close()
		s.server.Close()
	})
	return s
}

var everything = ui.Viewer{Everything: true}

// ask sends a request with names and values of headers in turn. The caller closes the body.
func (s *site) ask(method, path string, headers ...string) *http.Response {
	GinkgoHelper()
	request, err := http.NewRequest(method, s.server.URL+path, nil)
	Expect(err).NotTo(HaveOccurred())
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.server.Client().Do(request)
	Expect(err).NotTo(HaveOccurred())
	return response
}

// get returns the status and the text of a page.
func (s *site) get(path string, headers ...string) (status int, text string) {
	GinkgoHelper()
	response := s.ask(http.MethodGet, path, headers...)
	DeferCleanup(response.Body.Close)
	body, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	return response.StatusCode, string(body)
}

func (s *site) page(path string) string {
	GinkgoHelper()
	status, text := s.get(path)
	Expect(status).To(Equal(http.StatusOK), text)
	return text
}

// nextEvent returns the next event of a stream that contains a text.
func nextEvent(lines *bufio.Scanner, text string) string {
	GinkgoHelper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return lines.Text()
		}
	}
	Fail("the stream ended without " + text)
	return ""
}
