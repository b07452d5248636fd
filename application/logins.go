package application

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// beginLoginTime bounds the time to begin a login, and so the delay of an answer that only says
// where to log in.
const beginLoginTime = 15 * time.Second

// maxLogins is the number of logins in a row that one connection may take: the first shows what the server
// requires, the second is for more scopes or another authorization server.
const maxLogins = 2

// Logins asks for the logins that servers need. The user at the host is prompted once
// for each login, however many servers and calls wait for it. After the user declined,
// openings of toolboxes do not prompt again, only uses of tools do. A nil Logins never
// prompts. Safe for concurrent use.
type Logins struct {
	logins   ports.Logins // nil when the operator logs in
	prompter ports.LoginPrompter
	log      *slog.Logger

	mu       sync.Mutex              // guards the fields below
	last     int                     // the number of the last prompt
	prompts  map[string]*loginPrompt // those under way, by the ID of the login
	declined map[string]bool         // logins that the user declined, by the ID of the login
}

// NewLogins returns the use case for one host.
func NewLogins(logins ports.Logins, prompter ports.LoginPrompter, log *slog.Logger) *Logins {
	return &Logins{
		logins: logins, prompter: prompter, log: log, prompts: map[string]*loginPrompt{}, declined: map[string]bool{},
	}
}

// NewOperatorLogins returns the use case for a host whose user does not log in because the
// operator of the workbench does: failures say so, and there are no prompts.
func NewOperatorLogins() *Logins { return &Logins{} }

// loginPrompt is a prompt under way, until the login succeeds or is given up.
type loginPrompt struct {
	id       string // for the host
	begun    time.Time
	ended    chan struct{} // closed when the fields below are set
	loggedIn bool
	answer   domain.PromptAnswer // PromptWithdrawn if the call that prompted is over, so that another one may
}

// mayBeNeeded reports whether the server may need a login: only one with an address does.
func (l *Logins) mayBeNeeded(server *domain.Server) bool {
	return l != nil && l.logins != nil && server.Traits.Address != ""
}

// awaitForUse returns nil once the user has logged in, if a call failed for lack of
// that login, otherwise the failure to report. It returns failures of other kinds
// unchanged.
func (l *Logins) awaitForUse(ctx context.Context, server domain.Server, failure error) error {
	if limit := server.Limits.CallTotal; limit > 0 {
		bounded, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = bounded
	}
	return l.await(ctx, server, failure, true)
}

// awaitForOpening is awaitForUse for the opening of a toolbox. It waits until the context
// ends, but only for limits.openGrace if the prompt has been open for longer than
// limits.openReply.
func (l *Logins) awaitForOpening(ctx context.Context, server domain.Server, failure error) error {
	return l.await(ctx, server, failure, false)
}

// await is awaitForUse or awaitForOpening.
func (l *Logins) await(ctx context.Context, server domain.Server, failure error, forUse bool) error {
	required, ok := errors.AsType[*domain.LoginRequiredError](failure)
	if !ok || l == nil {
		return failure
	}
	reported := *required
	if l.logins == nil {
		reported.ByOperator = true
		return &reported
	}
	beginning, cancel := context.WithTimeout(ctx, beginLoginTime)
	defer cancel()
	pending, err := l.logins.Begin(beginning, server)
	if err != nil {
		l.log.Warn("could not begin a login", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		if ctx.Err() == nil {
			reported.Why += "; " + server.Redact(err.Error())
		}
		return &reported
	}
	reported.Link, reported.Hosts = pending.Link, domain.LoginHosts{
		Page: server.Redact(domain.URLHost(pending.URL)), Server: server.Redact(domain.URLHost(required.Origin)),
	}
	for {
		prompt := l.join(server, domain.LoginPrompt{URL: pending.URL, Hosts: reported.Hosts, Meta: slices.Clone(ports.MetaOf(ctx))}, pending, forUse)
		if prompt == nil || !prompt.await(ctx, server, forUse) {
			return &reported
		}
		switch {
		case prompt.loggedIn:
			return nil
		case prompt.answer != domain.PromptWithdrawn:
			return &reported
		}
	}
}

// join returns the prompt for a login that is under way, or begins one. It returns nil
// when the user is not to be prompted.
func (l *Logins) join(server domain.Server, shown domain.LoginPrompt, pending ports.PendingLogin, forUse bool) *loginPrompt {
	l.mu.Lock()
	defer l.mu.Unlock()
	if current := l.prompts[pending.ID]; current != nil {
		return current
	}
	if !l.prompter.CanPromptLogin() || l.declined[pending.ID] && !forUse {
		return nil
	}
	delete(l.declined, pending.ID)
	begun := &loginPrompt{begun: time.Now(), ended: make(chan struct{})}
	l.prompts[pending.ID] = begun
	l.last++
	begun.id = fmt.Sprintf("login-%d", l.last)
	shown.ID = begun.id
	go l.run(begun, server.ID, shown, pending)
	return begun
}

// run prompts the user and waits for the login. It does not end with the call that
// prompts, since others may wait for the same login.
func (l *Logins) run(prompt *loginPrompt, server domain.ServerID, shown domain.LoginPrompt, pending ports.PendingLogin) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answered := make(chan domain.PromptAnswer, 1)
	l.prompter.PromptLogin(ctx, server, shown, func(answer domain.PromptAnswer) { answered <- answer })
	accepted := false
	for {
		select {
		case answer := <-answered:
			if accepted = answer == domain.PromptAccepted; !accepted {
				l.end(prompt, pending.ID, false, answer)
				return
			}
		case <-pending.Done:
			select {
			case answer := <-answered: // the answer came first, but select chooses at random
				accepted = answer == domain.PromptAccepted
			default:
			}
			if accepted {
				l.prompter.ReportLogin(prompt.id)
			}
			err := pending.Err()
			if err != nil {
				l.log.Warn("a login failed", "error", err)
			}
			l.end(prompt, pending.ID, err == nil, domain.PromptAccepted)
			return
		}
	}
}

// end ends the prompt of the login with that ID.
func (l *Logins) end(prompt *loginPrompt, id string, loggedIn bool, answer domain.PromptAnswer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case loggedIn:
		delete(l.declined, id)
	case answer == domain.PromptDeclined:
		l.declined[id] = true
	}
	prompt.loggedIn, prompt.answer = loggedIn, answer
	delete(l.prompts, id)
	close(prompt.ended)
}

// await reports whether the prompt ended before the context did.
func (p *loginPrompt) await(ctx context.Context, server domain.Server, forUse bool) bool {
	if limits := server.Limits; !forUse && time.Since(p.begun) > openReply(ctx, limits) {
		// The prompt has been waited for long enough.
		bounded, cancel := context.WithTimeout(ctx, limits.OpenGrace)
		defer cancel()
		ctx = bounded
	}
	select {
	case <-p.ended:
		return true
	case <-ctx.Done():
		return false
	}
}

// Servers connects to the servers of one host, and asks for the logins that they need.
type Servers struct {
	*sessions.Sessions
	logins *Logins
}

// NewServers returns the servers of a host with these sessions. Logins may be nil.
func NewServers(sessions *sessions.Sessions, logins *Logins) *Servers {
	return &Servers{Sessions: sessions, logins: logins}
}

// connect returns the live connection to the server of a call.
func (s *Servers) connect(ctx context.Context, use *toolUse) (*sessions.Connection, error) {
	connect := s.ConnectInTime
	if use.call.Waits {
		connect = s.Connect
	}
	for range maxLogins {
		connection, err := connect(ctx, *use.server)
		if !errors.Is(err, domain.ErrLoginRequired) {
			return connection, err
		}
		if err = s.logins.awaitForUse(ports.WithMeta(ctx, use.call.Meta), *use.server, err); err != nil {
			return nil, err
		}
	}
	return connect(ctx, *use.server)
}

// replyOrAgain returns a reply that makes the call again, once, after a login if the server
// refuses it for lack of one. The bytes of the call are copied only if that can happen.
func (s *Servers) replyOrAgain(ctx context.Context, user *ToolUser, use *toolUse) ports.Reply {
	if !s.logins.mayBeNeeded(use.server) {
		return use.reply
	}
	return s.replyAfterLogin(ctx, user, use.clone())
}

// replyAfterLogin is a separate function so that calls to servers without logins allocate
// nothing for it.
func (s *Servers) replyAfterLogin(ctx context.Context, user *ToolUser, use toolUse) ports.Reply {
	return func(answer ports.Answer, err error) {
		if !errors.Is(err, domain.ErrLoginRequired) || !s.logins.logins.MayBeNeeded(*use.server) {
			use.reply(answer, err)
			return
		}
		go func() {
			if err := s.logins.awaitForUse(ports.WithMeta(ctx, use.call.Meta), *use.server, err); err != nil {
				use.reply(ports.Answer{}, err)
				return
			}
			user.useLater(ctx, use, false)
		}()
	}
}

// connectedAfterLogin connects to a server of an opening that failed because it needs a login, once the user has
// logged in, and waits for it until the context ends. It returns other failures unchanged.
func (s *Servers) connectedAfterLogin(ctx context.Context, server domain.Server, failure error) (connection *sessions.Connection, err error) {
	for range maxLogins {
		if !errors.Is(failure, domain.ErrLoginRequired) {
			break
		}
		if err := s.logins.awaitForOpening(ctx, server, failure); err != nil {
			return nil, err
		}
		connection, failure = s.connectUntil(ctx, server)
	}
	return connection, failure
}

func (s *Servers) connectUntil(ctx context.Context, server domain.Server) (*sessions.Connection, error) {
	starting, err := s.Start(ctx, server)
	if err != nil {
		return nil, err
	}
	select {
	case <-starting.Ended():
		return starting.Outcome()
	case <-ctx.Done():
		return nil, starting.Overdue(time.Since(starting.Since()))
	}
}
