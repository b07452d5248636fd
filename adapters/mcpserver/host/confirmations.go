package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// A person is asked about a call by elicitation with a form (2025-06-18 and later,
// client/elicitation). A host with a handshake gets the request itself; a host of 2026-07-28
// gets it in the result of the very call that it is about.

// The form has one field, whose value is one of these texts, as hosts show them. It has no
// default, so that nothing but a choice is a yes.
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

// CanConfirm implements ports.Confirmer. "elicitation":{} stands for forms.
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
	h.confirm(ctx, c, question, reply)
}

func (h *Host) confirm(
	ctx context.Context, through Connection, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer),
) {
	c, initialized := h.connected()
	if c == nil || !initialized || !h.CanConfirm() {
		reply(domain.ConfirmationImpossible)
		return
	}
	h.requests.send(ctx, through, confirmationRequest(question), func(answer ports.Answer, err error) {
		reply(confirmationAnswer(answer, err))
	})
}

// Through returns what asks the person at a host with a handshake by way of one of its
// requests, where that has a way back of its own.
func (h *Host) Through(way Connection) ports.Confirmer { return &requestConfirmer{Host: h, way: way} }

// requestConfirmer asks by way of one request.
type requestConfirmer struct {
	*Host
	way Connection
}

// Confirm implements ports.Confirmer.
func (r *requestConfirmer) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	r.confirm(ctx, r.way, question, reply)
}

// CanConfirm implements ports.Confirmer.
func (c *Call) CanConfirm() bool { return c.host.CanConfirm() }

// Confirm implements ports.Confirmer. From then on nothing but the same call, with the same
// arguments, continues this one.
func (c *Call) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	if !c.CanConfirm() {
		reply(domain.ConfirmationImpossible)
		return
	}
	c.mu.Lock()
	c.confirming = &question
	c.mu.Unlock()
	c.request(ctx, confirmationRequest(question), func(answer ports.Answer, err error) {
		if answer.Error != nil { // which only the end of the call brings
			reply(domain.ConfirmationWithdrawn)
			return
		}
		reply(confirmationAnswer(answer, err))
	})
}

// IsContinuedBy reports whether a request with that name of a tool and these bytes as arguments can
// continue the call. Any request can, unless the person was asked about the call.
func (c *Call) IsContinuedBy(tool string, arguments json.RawMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.confirming == nil || c.confirming.Called == tool && bytes.Equal(c.confirming.Arguments, arguments)
}

// NeedsYes reports whether the person was asked about the call itself.
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
	return ports.Message{Method: domain.MethodElicitationCreate, Params: params.JSON()}
}

// confirmationAnswer reads the result of an elicitation. It is a yes only if it accepts the
// form and its field has one of the two values that say so.
func confirmationAnswer(answer ports.Answer, err error) domain.ConfirmationAnswer {
	switch {
	case err != nil:
		return domain.ConfirmationWithdrawn
	case answer.Error != nil:
		return domain.ConfirmationFailed
	}
	result, err := membersOnce(answer.Result)
	if err != nil {
		return domain.ConfirmationUnclear
	}
	switch rawjson.Text(result["action"]) {
	case actionDecline:
		return domain.ConfirmationDeclined
	case actionAccept:
	default:
		return domain.ConfirmationUnclear
	}
	content, err := membersOnce(result["content"])
	if err != nil {
		return domain.ConfirmationUnclear
	}
	switch rawjson.Text(content[decisionField]) {
	case decisionOnce:
		return domain.ConfirmedOnce
	case decisionForSession:
		return domain.ConfirmedForSession
	case decisionNo:
		return domain.ConfirmationDeclined
	}
	return domain.ConfirmationUnclear
}

// membersOnce returns the members of a raw object. One that has a member twice says two
// things, so it is no answer.
func membersOnce(object json.RawMessage) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	err := rawjson.EachMember(object, func(name, value []byte) error {
		if _, twice := members[string(name)]; twice {
			return fmt.Errorf("the member %q is there twice", name)
		}
		members[string(name)] = value
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return members, nil
}
