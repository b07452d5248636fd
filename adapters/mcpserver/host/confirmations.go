package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// The user confirms a call in a form, by elicitation (2025-06-18 and later, client/elicitation).
// A host with a handshake gets the request itself; a host of 2026-07-28 gets it in the result of
// the call to confirm.

// The form has one field. Its value is one of these texts, which hosts show verbatim. It has no
// default, so that only a choice counts as a yes.
const (
	decisionField      = "decision"
	decisionOnce       = "yes, once"
	decisionForSession = "yes, for this session"
	decisionNo         = "no"
)

var (
	_ ports.Confirmer = (*Host)(nil)
	_ ports.Confirmer = (*Call)(nil)
)

// CanConfirm implements ports.Confirmer. "elicitation":{} means forms.
func (h *Host) CanConfirm() bool {
	elicitation := rawjson.Member(h.Capabilities(), "elicitation")
	if rawjson.Kind(elicitation) != '{' {
		return false
	}
	if form := rawjson.Member(elicitation, "form"); form != nil {
		return rawjson.Kind(form) == '{'
	}
	return rawjson.Member(elicitation, modeURL) == nil
}

// Confirm implements ports.Confirmer, for a host with a handshake.
func (h *Host) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	c, _ := h.connected()
	h.Through(c).Confirm(ctx, question, reply)
}

// Through returns a ports.Confirmer for a host with a handshake whose requests leave through the
// connection of one of its requests.
func (h *Host) Through(c Connection) ports.Confirmer { return &requestConfirmer{Host: h, through: c} }

type requestConfirmer struct {
	*Host
	through Connection
}

// Confirm implements ports.Confirmer.
func (r *requestConfirmer) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	c, initialized := r.connected()
	if c == nil || !initialized || !r.CanConfirm() {
		reply(domain.ConfirmationImpossible)
		return
	}
	r.requests.send(ctx, r.through, confirmationRequest(question), func(answer ports.Answer, err error) {
		reply(confirmationAnswer(answer, err))
	})
}

// CanConfirm implements ports.Confirmer.
func (c *Call) CanConfirm() bool { return c.host.CanConfirm() }

// Confirm implements ports.Confirmer. From then on only the same call, with the same arguments,
// can continue this one.
func (c *Call) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	if !c.CanConfirm() {
		reply(domain.ConfirmationImpossible)
		return
	}
	c.mu.Lock()
	c.confirming = &question
	c.mu.Unlock()
	c.request(ctx, confirmationRequest(question), func(answer ports.Answer, err error) {
		if answer.Error != nil { // the call has ended
			reply(domain.ConfirmationWithdrawn)
			return
		}
		reply(confirmationAnswer(answer, err))
	})
}

// IsContinuedBy reports whether a request for the tool with these bytes as arguments can continue
// the call. Any request can, unless the user was asked to confirm the call.
func (c *Call) IsContinuedBy(tool string, arguments json.RawMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.confirming == nil || c.confirming.Called == tool && bytes.Equal(c.confirming.Given, arguments)
}

// NeedsYes reports whether the user was asked to confirm the call.
func (c *Call) NeedsYes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.confirming != nil
}

// confirmationRequest returns the request that asks the question.
func confirmationRequest(question domain.ConfirmationQuestion) ports.Message {
	decision := rawjson.Object{}.
		Text("type", "string").
		Text("title", "Allow this call?").
		Texts("enum", []string{decisionOnce, decisionForSession, decisionNo})
	schema := rawjson.Object{}.
		Text("type", "object").
		Raw("properties", rawjson.Object{}.Raw(decisionField, decision.JSON()).JSON()).
		Texts("required", []string{decisionField})
	params := rawjson.Object{}.Text("message", wording.ConfirmationQuestion(question)).Raw("requestedSchema", schema.JSON())
	if keys := vendorKeys(question.Meta); !keys.IsEmpty() {
		params = params.Raw("_meta", keys.JSON())
	}
	return ports.Message{Method: string(mcp.MethodElicitationCreate), Params: params.JSON()}
}

// vendorKeys returns the members of a call's _meta but those of traces. Hosts know their call by them: Goose refuses a
// question without its key while two calls are under way.
func vendorKeys(meta json.RawMessage) (keys rawjson.Object) {
	// It was an object in the request.
	_ = rawjson.EachMember(rawjson.Object{}.Members(meta).JSON(), func(name, value []byte) error {
		switch string(name) {
		case "traceparent", "tracestate", "baggage":
		default:
			keys = keys.Raw(string(name), value)
		}
		return nil
	})
	return keys
}

// confirmationAnswer reads the result of an elicitation. It is a yes only if the form is accepted
// and its field has one of the two values for yes.
func confirmationAnswer(answer ports.Answer, err error) domain.ConfirmationAnswer {
	switch {
	case err != nil:
		return domain.ConfirmationWithdrawn
	case answer.Error != nil:
		return domain.ConfirmationFailed
	}
	result := membersOnce(answer.Result)
	switch rawjson.Text(result["action"]) {
	case actionDecline:
		return domain.ConfirmationDeclined
	case actionAccept:
	default:
		return domain.ConfirmationUnclear
	}
	switch rawjson.Text(membersOnce(result["content"])[decisionField]) {
	case decisionOnce:
		return domain.ConfirmedOnce
	case decisionForSession:
		return domain.ConfirmedForSession
	case decisionNo:
		return domain.ConfirmationDeclined
	}
	return domain.ConfirmationUnclear
}

// errRepeated ends the reading of an object that has a member twice.
var errRepeated = errors.New("a member is repeated")

// membersOnce returns the members of a raw object, none if it has a member twice: such an answer
// is ambiguous.
func membersOnce(object json.RawMessage) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	err := rawjson.EachMember(object, func(name, value []byte) error {
		if _, twice := members[string(name)]; twice {
			return errRepeated
		}
		members[string(name)] = value
		return nil
	})
	if err != nil {
		return nil
	}
	return members
}
