package mcpserver

import (
	"bytes"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const foreignCursor = "the cursor does not belong to this list"

// answerList answers a request for a list with all its definitions, on one page. The function
// definitions may wait.
func (s *session) answerList(r *request, p params, reply replyFunc, member string, definitions func() ([][]byte, error)) {
	if !rawjson.IsNull(p.member("cursor")) {
		reply(failure(mcp.INVALID_PARAMS, foreignCursor))
		return
	}
	go func() {
		defer s.recoverFrom(r, reply)
		list, err := definitions()
		if err != nil {
			reply(failure(mcp.INTERNAL_ERROR, wording.Reason(err)))
			return
		}
		var result rawjson.Object
		switch {
		case r.modern:
			result = rawjson.Object{}.Members(s.program.cacheable)
		case r.method == jsonrpc.MethodSkillsList:
			result = uncachedResult()
		}
		page := slices.Concat([]byte{'['}, bytes.Join(list, []byte{','}), []byte{']'})
		reply(ports.Answer{Result: result.Raw(member, page).JSON()})
	}()
}

// uncachedResult begins a result that must say, in every era, that it cannot be cached.
func uncachedResult() rawjson.Object {
	return rawjson.Object{}.Int("ttlMs", 0).Text("cacheScope", string(mcp.CacheScopePrivate))
}
