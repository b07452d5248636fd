package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const foreignCursor = "the cursor does not belong to this list"

// maxMaking is how many answers of lists are made at the same time, for all hosts. Each takes several times its size.
const maxMaking = 2

// maxMakingWaiting is how many can wait for that, for all hosts.
const maxMakingWaiting = 16 << 10

// answerList answers a request for a list with all its definitions, on one page. The function list returns the
// definitions, and may wait. The lists of one host are read one after the other.
func (s *session) answerList(ctx context.Context, r *request, p params, reply replyFunc, member string, list func() (iter.Seq[[]byte], error)) {
	if !rawjson.IsNull(p.member("cursor")) {
		reply(failure(mcp.INVALID_PARAMS, foreignCursor))
		return
	}
	go func() {
		defer s.recoverFrom(r, reply)
		page, err := s.readList(ctx, r, member, list)
		if err != nil {
			reply(failure(mcp.INTERNAL_ERROR, wording.Reason(err)))
			return
		}
		reply(ports.Answer{Result: page})
	}()
}

// readList returns the result of a list, after the lists that the host asked for before.
func (s *session) readList(ctx context.Context, r *request, member string, list func() (iter.Seq[[]byte], error)) (page []byte, err error) {
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	definitions, err := list()
	if err != nil {
		return nil, err
	}
	err = s.makeInTurn(ctx, func() { page = s.listPage(r, member, definitions) })
	return page, err
}

// makeInTurn calls a function that makes an answer of lists, in a turn among all hosts. The function must not wait.
func (s *session) makeInTurn(ctx context.Context, answer func()) error {
	end, err := s.program.making.Take(ctx, fmt.Sprintf("%p", s)) // the address names the session among others
	if err != nil {
		return fmt.Errorf("wait to make the answer: %w", err)
	}
	defer end()
	answer()
	return nil
}

// listPage returns the result with the definitions of a list.
func (s *session) listPage(r *request, member string, definitions iter.Seq[[]byte]) []byte {
	var result rawjson.Object
	switch {
	case r.modern:
		result = rawjson.Object{}.Members(s.program.cacheable)
	case r.method == jsonrpc.MethodSkillsList:
		result = uncachedResult()
	}
	page := bytes.TrimSuffix(result.Raw(member, []byte("[]")).JSON(), []byte("]}"))
	isFirst := true
	for definition := range definitions {
		if !isFirst {
			page = append(page, ',')
		}
		page, isFirst = append(page, definition...), false
	}
	return append(page, "]}"...)
}

// uncachedResult begins a result that must say, in every era, that it cannot be cached.
func uncachedResult() rawjson.Object {
	return rawjson.Object{}.Int("ttlMs", 0).Text("cacheScope", string(mcp.CacheScopePrivate))
}
