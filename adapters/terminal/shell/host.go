package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Host is the terminal as a host for servers. Safe for concurrent use.
type Host struct {
	screen *terminal.Output
	// Approvals keep calls for a person where there is no terminal, nil if nothing does. It must be set before calls.
	Approvals Approvals
	// calls is set while a call is under way.
	calls atomic.Bool
}

var (
	_ ports.Host           = (*Host)(nil)
	_ ports.RestartWatcher = (*Host)(nil)
)

// NewHost returns a host that prints and asks on a screen, which is standard error.
func NewHost(screen *terminal.Output) *Host { return &Host{screen: screen} }

// Capabilities implements ports.Host. Without a model, there is no sampling.
func (h *Host) Capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{}},"roots":{}}`)
}

// logMessage are the parameters of a log message.
type logMessage struct {
	Level  string          `json:"level"`
	Logger string          `json:"logger"`
	Data   json.RawMessage `json:"data"`
}

// minor are the levels of log messages that are shown only while a call is under way.
var minor = []string{"debug", "info", "notice"}

// Notify implements ports.Host: it prints log messages and ignores all other notifications. While no
// call is under way, it prints only warnings and more serious messages.
func (h *Host) Notify(server domain.ServerID, notification ports.Notification) {
	if notification.Kind != ports.LogMessage {
		return
	}
	var message logMessage
	if json.Unmarshal(notification.Params, &message) != nil {
		return // not a log message
	}
	if !h.calls.Load() && slices.Contains(minor, message.Level) {
		return
	}
	text := string(message.Data)
	var plain string
	if json.Unmarshal(message.Data, &plain) == nil {
		text = plain
	}
	logger := strings.TrimSuffix("/"+message.Logger, "/")
	h.screen.Print(attributedText(server, domain.LineText(logger+": "+message.Level)+": "+text))
}

// Restarted implements ports.RestartWatcher.
func (h *Host) Restarted(server domain.ServerID, why error) {
	h.screen.Print(attributedText(server, ": warning: "+wording.Restarted(server, why)))
}

// Request implements ports.Host.
func (h *Host) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	switch mcp.MCPMethod(request.Method) {
	case mcp.MethodElicitationCreate:
		params := append(json.RawMessage(nil), request.Params...)
		go func() { reply(h.elicit(ctx, server, params)) }()
	case mcp.MethodListRoots:
		reply(roots())
	case mcp.MethodSamplingCreateMessage:
		reply(ports.Answer{}, &ports.UnsupportedError{Reason: "there is no model in a shell to sample from"})
	default:
		reply(ports.Answer{}, &ports.UnsupportedError{Reason: "a shell cannot be asked for " + request.Method})
	}
}

func result(value any) (ports.Answer, error) {
	object, err := json.Marshal(value)
	return ports.Answer{Result: object}, err
}

// roots returns the working directory as the only root.
func roots() (ports.Answer, error) {
	directory, err := os.Getwd()
	if err != nil {
		return ports.Answer{}, fmt.Errorf("find the working directory: %w", err)
	}
	path := filepath.ToSlash(directory)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	root := map[string]string{"uri": (&url.URL{Scheme: "file", Path: path}).String(), "name": filepath.Base(directory)}
	return result(map[string]any{"roots": []any{root}})
}
