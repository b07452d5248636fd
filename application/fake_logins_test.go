package application_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// fakeLogins has the logins at servers in memory, and plays the user of the host. Its
// functions are set while nothing is under way.
type fakeLogins struct {
	// canPrompt says that the host shows URLs. Person answers the prompts; if it is nil, they stay
	// open.
	canPrompt bool
	person    func(reply func(domain.PromptAnswer))
	// refusal is the reason why no login can begin; slow is the time until it is given.
	refusal error
	slow    time.Duration
	// same are servers that need the same login.
	same map[domain.ServerName]string

	mu       sync.Mutex
	pending  map[string]*fakePending
	prompted []string // servers that the user was prompted for
	taken    int      // prompts whose context ended
	reported []string
}

type fakePending struct {
	done chan struct{}
	err  error
}

func (f *fakeLogins) MayBeNeeded(domain.Server) bool { return true }

func (f *fakeLogins) id(server domain.ServerName) string {
	if id := f.same[server]; id != "" {
		return id
	}
	return string(server)
}

func (f *fakeLogins) Begin(ctx context.Context, server domain.Server) (ports.PendingLogin, error) {
	select {
	case <-spec.After(f.slow):
	case <-ctx.Done():
		return ports.PendingLogin{}, ctx.Err()
	}
	if f.refusal != nil {
		return ports.PendingLogin{}, f.refusal
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.id(server.ID.Server)
	if f.pending[id] == nil {
		if f.pending == nil {
			f.pending = map[string]*fakePending{}
		}
		f.pending[id] = &fakePending{done: make(chan struct{})}
	}
	pending := f.pending[id]
	return ports.PendingLogin{
		ID: id, URL: "https://as/" + id, Link: "http://127.0.0.1:1/" + id, Done: pending.done,
		Err: func() error { return pending.err },
	}, nil
}

// finish ends a login, with nil for success.
func (f *fakeLogins) finish(id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pending[id].err = err
	close(f.pending[id].done)
	delete(f.pending, id)
}

func (f *fakeLogins) CanPromptLogin() bool { return f.canPrompt }

func (f *fakeLogins) PromptLogin(ctx context.Context, server domain.ServerID, prompt domain.LoginPrompt, reply func(domain.PromptAnswer)) {
	f.mu.Lock()
	f.prompted = append(f.prompted, string(server.Server)+" "+prompt.URL)
	f.mu.Unlock()
	var once sync.Once
	answer := func(a domain.PromptAnswer) { once.Do(func() { reply(a) }) }
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.taken++
		answer(domain.PromptWithdrawn)
	})
	if f.person != nil {
		f.person(answer)
	}
}

func (f *fakeLogins) ReportLogin(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reported = append(f.reported, id)
}

func (f *fakeLogins) prompts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.prompted...)
}

func (f *fakeLogins) reports() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.reported...)
}

var errNobodyCame = errors.New("the login was not completed within 10m0s")

// needsLogin matches the failure of the server "files", with the page to log in at.
func needsLogin() types.GomegaMatcher {
	return Equal(&domain.LoginRequiredError{
		ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Origin: "https://files", Why: "it asks for a login",
		Link: "http://127.0.0.1:1/files", Hosts: domain.LoginHosts{Page: "as", Server: "files"},
	})
}

// withLogins starts a workbench whose servers of the toolbox "dev" need a login.
func withLogins(t *testing.T, logins *fakeLogins, servers ...domain.ServerName) *workbench {
	dev := toolbox("dev", servers...)
	for i := range dev.Servers {
		dev.Servers[i].Traits.Address = "https://" + string(dev.Servers[i].ID.Server) + ".example"
	}
	w := prepare(t, dev)
	w.logins = application.NewLogins(logins, logins, slog.New(slog.NewTextHandler(w.log, nil)))
	w.wire(nil, nil)
	for _, server := range servers {
		w.server(server).lockOut()
	}
	t.Cleanup(func() { // ends the prompts without an answer
		for _, id := range servers {
			if logins.pending[logins.id(id)] != nil {
				logins.finish(logins.id(id), errNobodyCame)
			}
		}
	})
	return w
}

// lockOut makes the server require a login.
func (f *fakeServer) lockOut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure = f.loginRequired()
}

func (f *fakeServer) loginRequired() error {
	return &domain.LoginRequiredError{ID: f.id, Origin: "https://" + string(f.id.Server), Why: "it asks for a login"}
}

// logIn makes the servers accept the login, and ends it.
func (w *workbench) logIn(logins *fakeLogins, servers ...domain.ServerName) {
	for _, server := range servers {
		w.server(server).repair()
	}
	logins.finish(logins.id(servers[0]), nil)
	synctest.Wait()
}

// accepts is a user who accepts each prompt.
func accepts(reply func(domain.PromptAnswer)) { reply(domain.PromptAccepted) }

// opening opens the toolbox "dev" and returns a channel for the outcome.
func opening(w *workbench) chan domain.OpenedToolbox {
	received := make(chan domain.OpenedToolbox, 1)
	go func() {
		opened, _ := w.open("dev")
		received <- opened
	}()
	synctest.Wait()
	return received
}

// finishAll ends every pending login with success.
func (f *fakeLogins) finishAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, pending := range f.pending {
		close(pending.done)
		delete(f.pending, id)
	}
}
