package metrics

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/domain"
)

// Settings says what a page shows.
type Settings struct {
	// States are the states that servers can have.
	States []string
	// ByTool also counts the calls of each tool.
	ByTool bool
	// ByIdentity also counts the calls of each identity.
	ByIdentity bool
	// Version and Commit are those of the program. Commit is "" if it is not known.
	Version, Commit string
	// Process returns what the operating system counts about the process; nil for nothing.
	Process func() ownprocess.Figures
}

// Page serves the metrics. Safe for concurrent use.
type Page struct {
	settings Settings
	calls    callCounts

	mu      sync.Mutex // guards sources
	sources map[*Servers]bool
}

// Servers calls each once for every server of one host, with the state of the server.
type Servers func(each func(server domain.Server, state string))

// NewPage returns a page of calls, of servers and of the process. A server that hosts share counts
// once. If its state differs between hosts, the one that comes first in settings.States counts.
func NewPage(settings Settings) *Page {
	return &Page{settings: settings, calls: callCounts{isByTool: settings.ByTool, isByIdentity: settings.ByIdentity}, sources: map[*Servers]bool{}}
}

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

// Handler returns the handler of the page. Sessions returns the number of sessions of an identity. A
// caller that can see only some toolboxes reads nothing about the others, nor about the process, which
// serves all callers.
func (p *Page) Handler(sessions func(identity string) int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.show(w, r, sessions) })
}

func (p *Page) show(w http.ResponseWriter, r *http.Request, sessions func(identity string) int) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	seen := callers.AccessOf(r.Context()).Toolboxes
	sees := func(server domain.ServerID) bool { return seen == nil || slices.Contains(seen, string(server.Toolbox)) }
	var text exposition
	text.head(prefix+"sessions", gauge, "Sessions with the identity of the caller of this page.")
	text.number(prefix+"sessions", "", int64(sessions(callers.AccessOf(r.Context()).Identity)))
	p.writeServers(&text, sees)
	p.calls.write(&text, sees)
	p.settings.writeBuild(&text)
	if seen == nil && p.settings.ByIdentity {
		p.calls.writeIdentities(&text, sessions)
	}
	if seen == nil {
		writeGo(&text)
		p.settings.writeProcess(&text)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text.String()) // if it fails, the client is gone
}

const prefix = "mcp_workbench_"

func (p *Page) writeServers(text *exposition, sees func(domain.ServerID) bool) {
	p.mu.Lock()
	sources := slices.Collect(maps.Keys(p.sources))
	p.mu.Unlock()
	count := map[string]int{}
	shared := map[domain.ServerID]int{} // index in states
	states := p.settings.States
	for _, servers := range sources {
		(*servers)(func(server domain.Server, state string) {
			switch {
			case !sees(server.ID):
			case server.Shared:
				place, known := shared[server.ID]
				if at := slices.Index(states, state); !known || at < place {
					shared[server.ID] = at
				}
			default:
				count[state]++
			}
		})
	}
	for _, place := range shared {
		count[states[place]]++
	}
	text.head(prefix+"servers", gauge, "Servers of all hosts, by what they are doing.")
	for _, state := range states {
		text.number(prefix+"servers", "state="+labelValue(state), int64(count[state]))
	}
}
