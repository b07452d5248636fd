package metrics

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/domain"
)

// Page shows the numbers. Safe for concurrent use.
type Page struct {
	calls  Calls
	states []string

	mu      sync.Mutex // guards sources
	sources map[*Servers]bool
}

// Servers calls each with every server of one host and its state.
type Servers func(each func(server domain.Server, state string))

// NewPage returns a page of calls, and of servers in these states. A server that hosts share counts
// once, with the first state that it has for any of them.
func NewPage(states []string) *Page {
	return &Page{states: states, sources: map[*Servers]bool{}}
}

// Calls returns the counters of the page for calls.
func (p *Page) Calls() *Calls { return &p.calls }

// Watch counts the servers of one more host until remove is called.
func (p *Page) Watch(servers Servers) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sources[&servers] = true
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.sources, &servers)
	}
}

// Handler returns the handler of the page, with the number of sessions of the caller. A caller that
// can see only some toolboxes reads nothing about others.
func (p *Page) Handler(sessions func(identity string) int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.show(w, r, sessions(access.Of(r.Context()).Identity)) })
}

func (p *Page) show(w http.ResponseWriter, r *http.Request, sessions int) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	seen := access.Of(r.Context()).Toolboxes
	sees := func(server domain.ServerID) bool { return seen == nil || slices.Contains(seen, string(server.Toolbox)) }
	var text strings.Builder
	head(&text, "sessions", "gauge", "Hosts that have a session and the identity of the caller of this page.")
	fmt.Fprintf(&text, "%ssessions %d\n", prefix, sessions)
	p.writeServers(&text, sees)
	p.calls.write(&text, sees)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text.String()) // a client that is gone needs no numbers
}

const prefix = "mcp_workbench_"

// head writes the help and the type of a number.
func head(text *strings.Builder, name, kind, help string) {
	fmt.Fprintf(text, "# HELP %s%s %s\n# TYPE %s%s %s\n", prefix, name, help, prefix, name, kind)
}

func (p *Page) writeServers(text *strings.Builder, sees func(domain.ServerID) bool) {
	p.mu.Lock()
	sources := slices.Collect(maps.Keys(p.sources))
	p.mu.Unlock()
	count := map[string]int{}
	shared := map[domain.ServerID]int{} // by place in states
	for _, servers := range sources {
		(*servers)(func(server domain.Server, state string) {
			switch {
			case !sees(server.ID):
			case server.Shared:
				place, known := shared[server.ID]
				if at := slices.Index(p.states, state); !known || at < place {
					shared[server.ID] = at
				}
			default:
				count[state]++
			}
		})
	}
	for _, place := range shared {
		count[p.states[place]]++
	}
	head(text, "servers", "gauge", "Servers of all hosts, by what they are doing.")
	for _, state := range p.states {
		fmt.Fprintf(text, "%sservers{state=%s} %d\n", prefix, quoted(state), count[state])
	}
}

// write writes the numbers of the servers that are seen.
func (c *Calls) write(text *strings.Builder, sees func(domain.ServerID) bool) {
	c.mu.RLock()
	servers := slices.SortedFunc(maps.Keys(c.byServer), func(a, b domain.ServerID) int {
		return cmp.Or(cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server))
	})
	byServer := maps.Clone(c.byServer)
	c.mu.RUnlock()
	servers = slices.DeleteFunc(servers, func(server domain.ServerID) bool { return !sees(server) })
	each := func(name, more string, value func(*counts) int64) {
		for _, server := range servers {
			fmt.Fprintf(text, "%s%s{%s%s} %d\n", prefix, name, labels(server), more, value(byServer[server]))
		}
	}
	head(text, "calls_total", "counter", "Calls of tools.")
	each("calls_total", "", func(n *counts) int64 { return n.calls.Load() })
	head(text, "call_errors_total", "counter", "Calls that failed or were answered with an error.")
	each("call_errors_total", "", func(n *counts) int64 { return n.errors.Load() })
	head(text, "call_bytes_total", "counter", "Bytes of arguments and of results.")
	each("call_bytes_total", `,direction="arguments"`, func(n *counts) int64 { return n.arguments.Load() })
	each("call_bytes_total", `,direction="results"`, func(n *counts) int64 { return n.results.Load() })
	head(text, "call_duration_seconds", "histogram", "How long calls took.")
	for _, server := range servers {
		byServer[server].writeDurations(text, labels(server))
	}
}

func (c *counts) writeDurations(text *strings.Builder, labels string) {
	calls, nanoseconds, within := c.calls.Load(), c.nanoseconds.Load(), int64(0)
	for i, limit := range limits {
		within += c.within[i].Load()
		fmt.Fprintf(text, "%scall_duration_seconds_bucket{%s,le=\"%s\"} %d\n", prefix, labels, seconds(limit), within)
	}
	// A call that is counted meanwhile may be in a range already.
	calls = max(calls, within)
	fmt.Fprintf(text, "%scall_duration_seconds_bucket{%s,le=\"+Inf\"} %d\n", prefix, labels, calls)
	fmt.Fprintf(text, "%scall_duration_seconds_sum{%s} %s\n", prefix, labels, seconds(time.Duration(nanoseconds)))
	fmt.Fprintf(text, "%scall_duration_seconds_count{%s} %d\n", prefix, labels, calls)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) }

func labels(server domain.ServerID) string {
	return "toolbox=" + quoted(string(server.Toolbox)) + ",server=" + quoted(string(server.Server))
}

// quoted returns the value of a label.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
