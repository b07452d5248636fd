package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ServerMessages passes notifications and requests of a server on to the host, and decides what messages about the
// server show. A transport makes one for each link and also passes it to Connect.
type ServerMessages struct {
	server domain.Server
	host   ports.Host
	policy ports.ServerPolicy
	redact func(text string) string
	log    *slog.Logger
	// Offer is the version that Connect offers first, "" for the newest with a handshake. It is set before
	// Connect.
	Offer string
}

// NewServerMessages returns the messages of a server under a policy. Redact removes the secrets of the server from a text.
// The log has the attributes of the server.
func NewServerMessages(server domain.Server, host ports.Host, policy ports.ServerPolicy, redact func(text string) string, log *slog.Logger) *ServerMessages {
	return &ServerMessages{server: server, host: host, policy: policy, redact: redact, log: log}
}

// TakesRequests reports whether the host takes requests of the server at any time.
func (m *ServerMessages) TakesRequests() bool { return ports.TakesRequests(m.host) }

// notify passes a notification on. It gives log messages a valid level, and logs them too.
func (m *ServerMessages) notify(method mcp.MCPMethod, params json.RawMessage) {
	kind := notificationKinds[method]
	if kind == ports.LogMessage {
		params = withLevel(params)
		if m.log.Enabled(context.Background(), slog.LevelDebug) {
			m.log.Debug("the server logged", "level", rawjson.Text(rawjson.Member(params, "level")),
				"data", m.server.Secrets.Redact(string(rawjson.Member(params, "data"))))
		}
	}
	m.host.Notify(m.server.ID, ports.Notification{Kind: kind, Method: string(method), Subject: subject(kind, params), Params: params})
}

// subject returns the URI or the id of a task in the parameters of a notification of that kind.
func subject(kind ports.NotificationKind, params json.RawMessage) string {
	switch kind {
	case ports.ResourceUpdated:
		return onlyText(params, "uri")
	case ports.TaskStatus:
		return onlyText(params, "taskId")
	}
	return ""
}

// onlyText returns the text in a member of an object. It returns "" if the object has the member twice, or
// another member whose name differs only in case, since readers would not agree on its meaning.
func onlyText(object json.RawMessage, name string) string {
	found, text := 0, ""
	err := rawjson.EachMember(object, func(member, raw []byte) error {
		if strings.EqualFold(string(member), name) {
			found++
			if string(member) == name && rawjson.Kind(raw) == '"' {
				text = rawjson.Text(raw)
			}
		}
		return nil
	})
	if found != 1 || err != nil {
		return ""
	}
	return text
}

// notificationKinds are the kinds of notifications by their methods.
var notificationKinds = map[mcp.MCPMethod]ports.NotificationKind{
	mcp.MethodNotificationMessage:              ports.LogMessage,
	mcp.MethodNotificationToolsListChanged:     ports.ToolsChanged,
	mcp.MethodNotificationPromptsListChanged:   ports.PromptsChanged,
	mcp.MethodNotificationResourcesListChanged: ports.ResourcesChanged,
	mcp.MethodNotificationResourceUpdated:      ports.ResourceUpdated,
	mcp.MethodNotificationTasksStatus:          ports.TaskStatus,
	mcp.MethodNotificationElicitationComplete:  ports.ElicitationComplete,
}

// withLevel returns the parameters of a log message, with the level info instead of one that the
// protocol does not have.
func withLevel(params json.RawMessage) json.RawMessage {
	params = rawjson.Distinct(params, "level")
	if domain.IsLogLevel(rawjson.Text(rawjson.Member(params, "level"))) {
		return params
	}
	return rawjson.With(params, "level", rawjson.Quote(domain.UsualLogLevel))
}

// QuotingError is an error that quotes the server. Quote returns the quote, and Error's text without it.
type QuotingError interface {
	error
	Quote() (quote, without string)
}

// Said returns words of the server if messages can show them, "" otherwise. The words contain no secret.
func (m *ServerMessages) Said(words string) string {
	if words == "" || m.policy.Withholds(words) {
		return ""
	}
	return words
}

// reason returns the text of an error on one line, so that a server's words cannot look like other
// lines, and without anything that messages about the server must not show.
func (m *ServerMessages) reason(err error) string {
	text := err.Error()
	eachQuoting(err, func(quoting QuotingError) {
		if quote, without := quoting.Quote(); quote != "" && m.Said(m.redact(quote)) == "" {
			text = strings.ReplaceAll(text, quoting.Error(), without)
		}
	})
	return domain.Brief(m.redact(text))
}

// eachQuoting visits every error of a tree that quotes the server.
func eachQuoting(err error, visit func(QuotingError)) {
	var node any = err // the error itself, not what it wraps
	if quoting, ok := node.(QuotingError); ok {
		visit(quoting)
	}
	switch wrapping := node.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapping.Unwrap(); inner != nil {
			eachQuoting(inner, visit)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range wrapping.Unwrap() {
			eachQuoting(inner, visit)
		}
	}
}

// Unavailable converts the failure of a link or a transport to one of ports.Session: the context's error
// if it ended, else domain.ErrServerUnavailable with err's text as the reason, without anything that
// messages about the server must not show. It keeps a *domain.LoginRequiredError.
func (m *ServerMessages) Unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		if required.Wanted != "" && m.Said(required.Wanted) == "" {
			silent := *required
			silent.Wanted = ""
			required = &silent
		}
		return required
	}
	unavailable := &domain.ServerUnavailableError{ID: m.server.ID, Reason: errors.New(m.reason(err))}
	if _, tooLarge := errors.AsType[*TooLargeError](err); tooLarge {
		unavailable.Cause = domain.ErrAnswerTooLarge
	}
	return unavailable
}
