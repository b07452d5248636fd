package streamablehttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// relisting lists the tools again when a server wants other headers than its last list says.
// Concurrent calls share a listing. Safe for concurrent use.
type relisting struct {
	turn  chan struct{} // has a token while no listing is in progress
	times atomic.Uint64 // completed listings
}

func newRelisting() *relisting {
	r := &relisting{turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// isMismatch reports whether the server refused a call for its headers and did not process it
// (2026-07-28, transports, HeaderMismatch).
func (c *call) isMismatch(session *session, refusal *web.RefusalError) bool {
	if c.method != mcp.MethodToolsCall || !session.modern() || refusal.Status != http.StatusBadRequest {
		return false
	}
	code := rawjson.Member(rawjson.Member(refusal.Body, "error"), "code")
	return string(code) == fmt.Sprint(mcp.HEADER_MISMATCH)
}

// listAgain lists the tools again, unless a listing was completed since the caller read seen from
// relisting.times. Afterwards calls have the headers that the server wants now.
func (l *link) listAgain(ctx context.Context, seen uint64) error {
	select {
	case <-l.relisting.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { l.relisting.turn <- struct{}{} }()
	if l.relisting.times.Load() != seen {
		return nil
	}
	l.log.Info("the server wants other headers than its list of tools says, listing the tools again")
	if err := l.listPages(ctx); err != nil {
		return err
	}
	l.relisting.times.Add(1)
	// The definitions may have changed too, so callers are told as if by the server.
	l.receive(ctx, jsonrpc.Notification(mcp.MethodNotificationToolsListChanged, nil).Message())
	return nil
}

// maxPages is the largest number of pages of a list that are read.
const maxPages = 100

// listPages admits the tools of every page, with the parameters of the last listing.
func (l *link) listPages(ctx context.Context) error {
	first := l.session.listing()
	if first == nil {
		return errors.New("the tools were not listed before")
	}
	params := first
	for range maxPages {
		answer, err := mcpclient.Ask(ctx, l.startCall, mcpclient.Request{Method: mcp.MethodToolsList, Params: bytes.Clone(params)})
		if err != nil {
			return err
		}
		if answer.Error != nil {
			return fmt.Errorf("list the tools: %s", answer.Error)
		}
		_ = rawjson.NewScanner().EachElement(rawjson.Member(answer.Result, "tools"), func(tool []byte) error {
			// Calls of a tool that is not admitted have no headers, so the server refuses them.
			_ = l.Admit(rawjson.Text(rawjson.Member(tool, "name")), tool)
			return nil
		})
		cursor := rawjson.Member(answer.Result, "nextCursor")
		if rawjson.Kind(cursor) != '"' {
			return nil
		}
		params = rawjson.With(first, "cursor", cursor)
	}
	return nil
}
