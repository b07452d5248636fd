package host

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// A host shows the user a URL in response to an elicitation in URL mode (2025-11-25 and
// 2026-07-28, client/elicitation). A host with a handshake gets the request itself and is told
// when the login is over. A host of 2026-07-28 gets it in the result of a call, without an
// elicitationId.

// The names are those of the protocol.
const (
	modeURL       = "url"
	actionAccept  = "accept"
	actionDecline = "decline"
)

// CanPromptLogin implements ports.LoginPrompter. "elicitation":{} means forms only.
func (h *Host) CanPromptLogin() bool {
	return rawjson.HasMember(h.Capabilities(), "elicitation", modeURL)
}

// PromptLogin implements ports.LoginPrompter.
func (h *Host) PromptLogin(ctx context.Context, server domain.ServerID, prompt domain.LoginPrompt, reply func(domain.PromptAnswer)) {
	c, initialized := h.connected()
	params := rawjson.Object{}.Text("mode", modeURL).Text("message", wording.LoginPrompt(server, prompt.Hosts)).Text("url", prompt.URL)
	if keys := vendorKeys(prompt.Meta); !keys.IsEmpty() {
		params = params.Raw("_meta", keys.JSON())
	}
	request := ports.Message{Method: string(mcp.MethodElicitationCreate)}
	switch call := h.callTo(server, OpeningOf(server.Toolbox)); {
	case !h.CanPromptLogin(), c == nil:
		reply(domain.PromptFailed)
	case call != nil:
		request.Params = params.JSON()
		call.request(ctx, request, func(answer ports.Answer, err error) {
			if answer.Error != nil { // the call has ended
				reply(domain.PromptWithdrawn)
				return
			}
			reply(promptAnswer(answer, err))
		})
	case initialized:
		request.Params = params.Text(elicitationID, h.loginID(prompt.ID)).JSON()
		h.requests.send(ctx, h.connectionFor(server, c), request, func(answer ports.Answer, err error) { reply(promptAnswer(answer, err)) })
	default:
		reply(domain.PromptFailed)
	}
}

// loginID returns the id of a login for the host. No server knows it, and no id of a server has
// its form.
func (h *Host) loginID(id string) string { return id + "-" + h.secret }

// promptAnswer reads the result of an elicitation. A result without a known action counts as
// dismissed.
func promptAnswer(answer ports.Answer, err error) domain.PromptAnswer {
	switch {
	case err != nil:
		return domain.PromptWithdrawn
	case answer.Error != nil:
		return domain.PromptFailed
	}
	switch rawjson.Text(rawjson.Member(answer.Result, "action")) {
	case actionAccept:
		return domain.PromptAccepted
	case actionDecline:
		return domain.PromptDeclined
	}
	return domain.PromptDismissed
}

// ReportLogin implements ports.LoginPrompter.
func (h *Host) ReportLogin(id string) {
	c, initialized := h.connected()
	if c == nil || !initialized || !h.CanPromptLogin() {
		return
	}
	params := rawjson.Object{}.Text(elicitationID, h.loginID(id)).JSON()
	if err := c.TryWrite(jsonrpc.Notification(mcp.MethodNotificationElicitationComplete, params)); err != nil {
		h.log.Debug("could not tell the host that a login is over", "error", err)
	}
}
