package streamablehttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// relisting lists the tools again when a server wants other headers than its last list
// says. Calls that find that at once share a listing. Safe for concurrent use.
type relisting struct {
	turn  chan struct{} // holds one token while nobody lists
	times atomic.Uint64 // listings that are over
}

func newRelisting() *relisting {
	r := &relisting{turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// isMismatch reports whether a refusal says that the headers of a call are not what the
// server wants, so that it did nothing (2026-07-28, transports, HeaderMismatch).
func (c *call) isMismatch(session *session, refusal *web.RefusalError) bool {
	if c.method != domain.MethodToolsCall || !session.modern() || refusal.Status != http.StatusBadRequest {
		return false
	}
	code := rawjson.Member(rawjson.Member(refusal.Body, "error"), "code")
	return string(code) == fmt.Sprint(protocol.CodeHeaderMismatch)
}

// listAgain returns when the tools were listed again after that many listings were
// over, so that the headers of a call are those that the server wants now.
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
	l.log.Info("the server wants other headers than its list of tools says, listing them again")
	if err := l.listPages(ctx); err != nil {
		return err
	}
	l.relisting.times.Add(1)
	// The definitions may have changed too: whoever has them lists them again, as if the
	// server had said so.
	l.receive(ctx, jsonrpc.Notification(domain.MethodNotificationToolsListChanged, nil).Message())
	return nil
}

// maxPages is how many pages of a list are read.
const maxPages = 100

// listPages admits the tools of every page. The requests are those of the last listing.
func (l *link) listPages(ctx context.Context) error {
	first := l.session.listing()
	if first == nil {
		return errors.New("the tools were not listed before")
	}
	params := first
	for range maxPages {
		answer, err := l.ask(ctx, mcpclient.Request{Method: domain.MethodToolsList, Params: bytes.Clone(params)})
		if err != nil {
			return err
		}
		if answer.Error != nil {
			return fmt.Errorf("list the tools: %s", answer.Error)
		}
		_ = rawjson.NewScanner().EachElement(rawjson.Member(answer.Result, "tools"), func(tool []byte) error {
			// A tool that is not admitted is not called with headers, so the server refuses it.
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

// ask makes a request of the link's own and returns the answer to it.
func (l *link) ask(ctx context.Context, request mcpclient.Request) (mcpclient.Answer, error) {
	var answer mcpclient.Answer
	var failure error
	replied := make(chan struct{})
	l.startCall(ctx, request, func(got mcpclient.Answer, err error) {
		answer, failure = mcpclient.Answer{Result: bytes.Clone(got.Result), Error: bytes.Clone(got.Error)}, err
		close(replied)
	})
	<-replied
	return answer, failure
}
