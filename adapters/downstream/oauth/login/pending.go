package login

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

const (
	// askTime is the longest time another process may take to show that it serves a link.
	askTime = 2 * time.Second
	// linkLength is the number of random letters in a link: 50 bits.
	linkLength = 10
)

// login is a login that waits for the user.
type login struct {
	client *oauth.Client
	log    *slog.Logger
	server oauth.Server

	begun chan struct{} // closed when the fields below are set
	// refusal says why it could not be begun; nothing else is set then.
	refusal   error
	url, link string
	isForeign bool // the link is served by another process

	done chan struct{} // closed when err is set
	err  error         // nil after a login
}

func (l *login) isOver() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// run begins the login and returns when it has ended.
func (l *login) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pendingTime)
	defer cancel()
	before, err := l.client.Store.Read(l.server.Key())
	if err != nil {
		l.refuse(err)
		return
	}
	if pending := before.Pending; pending != nil && isFresh(*pending) && isServed(ctx, pending.Link, pending.URL) {
		l.url, l.link, l.isForeign = pending.URL, pending.Link, true
		close(l.begun)
		l.finish(l.follow(ctx, before, *pending))
		return
	}
	answers, pending, err := l.begin(ctx)
	if err != nil {
		l.refuse(err)
		return
	}
	links, err := l.openLink(ctx, pending)
	if err != nil {
		answers.close()
		l.refuse(err)
		return
	}
	l.url, l.link = pending.URL, links.uri()
	close(l.begun)
	l.finish(l.await(ctx, links, answers, pending, func() bool {
		now, err := l.client.Store.Read(l.server.Key())
		return err == nil && wasMade(before, now)
	}))
}

func isFresh(pending logins.Pending) bool {
	return pending.Link != "" && time.Since(pending.Started) < pendingTime
}

func (l *login) refuse(err error) {
	l.refusal = err
	close(l.begun)
	l.finish(err)
}

func (l *login) finish(err error) {
	l.err = err
	close(l.done)
}

// begin begins the login at the authorization server, with a port for its answer.
func (l *login) begin(ctx context.Context) (answers *port, pending logins.Pending, err error) {
	ctx, cancel := context.WithTimeout(ctx, beginTime)
	defer cancel()
	pending, err = l.client.Begin(ctx, l.server, nil, func(redirect oauth.Redirect) (string, error) {
		var err error
		if answers, err = listen(redirect.URI); err != nil && !redirect.Fixed {
			answers, err = listen("")
		}
		if err != nil {
			return "", err
		}
		return answers.uri(), nil
	})
	if err != nil && answers != nil {
		answers.close()
	}
	return answers, pending, err
}

// openLink opens the port of a short link to the page, and writes the link into the record for other processes.
func (l *login) openLink(ctx context.Context, pending logins.Pending) (*port, error) {
	links, err := listen("http://127.0.0.1:0/" + strings.ToLower(rand.Text()[:linkLength]))
	if err != nil {
		return nil, fmt.Errorf("serve a link to the login: %w", err)
	}
	err = l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		if record.Pending != nil && record.Pending.State == pending.State {
			record.Pending.Link = links.uri()
		}
		return nil
	})
	if err != nil {
		links.close()
	}
	return links, err
}

// await serves the link and completes the login with the answer of the authorization server. It returns when the login
// has ended, here or, as isMade reports, elsewhere.
func (l *login) await(ctx context.Context, links, answers *port, pending logins.Pending, isMade func() bool) error {
	ctx, cancel := context.WithCancel(ctx)
	link := links.serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, l.currentURL(), http.StatusFound) })
	answered, left := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(left)
		answered <- answers.await(ctx, expected{
			name: l.server.ID.Path(), state: pending.State,
			ignored: func(err error) {
				l.log.Warn("ignored an answer to a login", "server", l.server.ID.Path(), "error", err)
			},
			complete: func(ctx context.Context, address string) error {
				// A code can be sent only once, so the exchange is not cancelled.
				_, err := l.client.Complete(context.WithoutCancel(ctx), l.server, address)
				return err
			},
		})
	}()
	err := watch(ctx, answered, func() (bool, error) { return isMade(), nil })
	cancel()
	<-left
	_ = link.Close() // nothing is sent
	links.close()
	l.forgetPending(pending)
	return err
}

// watch returns when a login was answered, or when look, which is called once a second, says that it is over.
func watch(ctx context.Context, answered <-chan error, look func() (isOver bool, err error)) error {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		select {
		case err := <-answered:
			return err
		case <-ticker.C:
			if isOver, err := look(); isOver {
				return err
			}
		case <-ctx.Done():
			return errTimeout
		}
	}
}

// wasMade reports whether there was a login between the two records. A refresh changes tokens too, but
// only a login answers the server's challenge.
func wasMade(before, now logins.Record) bool {
	if !now.LoggedIn() || now.AccessToken == before.AccessToken {
		return false
	}
	return before.Challenge == nil || now.Challenge == nil || now.Challenge.Time.After(before.Challenge.Time)
}

// forgetPending removes the request from the record, if it is still there, since its answer is no longer
// listened for.
func (l *login) forgetPending(pending logins.Pending) {
	ctx, cancel := context.WithTimeout(context.Background(), forgetTime)
	defer cancel()
	err := l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		if record.Pending == nil || record.Pending.State != pending.State {
			return errNothingToDo
		}
		record.Pending = nil
		return nil
	})
	if err != nil && !errors.Is(err, errNothingToDo) {
		l.log.Debug("could not remove a pending login", "error", err)
	}
}

var errNothingToDo = errors.New("nothing to do")

// currentURL returns the address of the page to log in. Another process may have begun the login again
// and replaced the request.
func (l *login) currentURL() string {
	record, err := l.client.Store.Read(l.server.Key())
	if err != nil || record.Pending == nil {
		return l.url
	}
	return record.Pending.URL
}

// isServed reports whether a process on this machine serves the link and redirects to the target.
// Another program may use the port by now, and redirect anywhere.
func isServed(ctx context.Context, link, target string) bool {
	address, err := url.Parse(link)
	if err != nil || address.Scheme != "http" || address.Hostname() != "127.0.0.1" || address.User != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return false
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // no proxy: it is this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close() // it is not needed
	return response.StatusCode == http.StatusFound && response.Header.Get("Location") == target
}
