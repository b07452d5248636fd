package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// maxFresh is longer than any list is used.
const maxFresh = 10 * 365 * 24 * time.Hour

// ListTools implements ports.Session.
func (s *Session) ListTools(ctx context.Context) (domain.ToolList, error) {
	listing := newListing(mcp.MethodToolsList, "tools", s.server.Limits.MessageSize, s.link.Admit)
	listing.list.Instructions, listing.list.Title = domain.ShownText(s.handshake.instructions), s.handshake.title
	if found := domain.SuspiciousCharacters(s.handshake.instructions); found != nil {
		listing.warn(domain.SuspiciousText, "", strings.Join(found, ", "))
	}
	err := s.readList(ctx, listing)
	return listing.list, err
}

// readList reads the pages of a listing. A page after the first that cannot be read only cuts the list.
func (s *Session) readList(ctx context.Context, listing *listing) error {
	err := s.readPages(ctx, listing.method, &listing.bounds, listing.addPage)
	switch {
	case err == nil:
		listing.warnOfBounds()
	case ctx.Err() != nil || listing.bounds.pages == 0:
		return s.messages.Unavailable(ctx, fmt.Errorf("listing its %s: %w", listing.bounds.member, err))
	default:
		listing.warn(domain.ListBroken, "", s.messages.reason(err))
	}
	return nil
}

// readPages reads the pages of a list, up to the bounds. Read adds the result of a page, whose bytes it must not keep,
// and returns its nextCursor.
func (s *Session) readPages(
	ctx context.Context, method mcp.MCPMethod, bounds *bounds, read func(result json.RawMessage) (next json.RawMessage, err error),
) error {
	listCtx, cancel := context.WithTimeout(ctx, listingTime)
	defer cancel()
	params, isLast := json.RawMessage("{}"), false
	for !isLast {
		request := Request{Method: method, Params: s.withMeta(params, "", 0)}
		err := askAndRead(listCtx, s.link.Request, request, func(answer Answer) error {
			if err := answer.err(); err != nil {
				return err
			}
			next, err := read(answer.Result)
			if err != nil {
				return err
			}
			isLast = rawjson.Kind(next) != '"' || bounds.endAt(next)
			params = append(append([]byte(`{"cursor":`), next...), '}')
			return nil
		})
		switch {
		case err != nil && bounds.pages == 0 && s.hasNoList(bounds.member, err):
			return nil
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("it took longer than %s", listingTime)
		case err != nil:
			return err
		}
	}
	return nil
}

// hasNoList reports whether an error says that the server does not have a list at all, which it need not: SDKs answer so
// unless they are told of entries. The log has that once.
func (s *Session) hasNoList(member string, err error) bool {
	refusal, isRefusal := errors.AsType[*RequestError](err)
	if !isRefusal || refusal.Code != mcp.METHOD_NOT_FOUND {
		return false
	}
	if _, known := s.withoutList.LoadOrStore(member, nil); !known {
		s.messages.log.Debug("the server has no such list", "list", member)
	}
	return true
}

// listing is a list of tools or prompts whose pages are being read.
type listing struct {
	method  mcp.MCPMethod
	list    domain.ToolList
	scanner *rawjson.Scanner
	admit   func(name string, definition json.RawMessage) error
	bounds  bounds
	names   map[string]bool
}

func newListing(method mcp.MCPMethod, member string, limit int64, admit func(name string, definition json.RawMessage) error) *listing {
	return &listing{
		method: method, scanner: rawjson.NewScanner(), admit: admit,
		bounds: bounds{member: member, limit: limit}, names: map[string]bool{},
	}
}

func (l *listing) warn(kind domain.WarningKind, tool, detail string) {
	l.list.Warnings = append(l.list.Warnings, domain.Warning{Kind: kind, Tool: tool, Detail: detail})
}

// warnOfBounds adds a warning if a bound ended the list.
func (l *listing) warnOfBounds() {
	if l.bounds.repeats {
		l.warn(domain.ListRepeated, "", l.bounds.cursor)
	}
	if l.bounds.cut != "" {
		l.warn(domain.ListCut, "", l.bounds.cut)
	}
}

// addPage adds the entries of a raw result and returns its nextCursor. Of a page from before, it gives no warning.
func (l *listing) addPage(result json.RawMessage) (next json.RawMessage, err error) {
	known, warned := len(l.names), len(l.list.Warnings)
	var entries json.RawMessage
	hasEntries := false
	err = l.scanner.EachMember(result, func(name, value []byte) error {
		switch string(name) {
		case l.bounds.member:
			entries, hasEntries = value, true
		case "nextCursor":
			next = value
		case "ttlMs":
			l.expire(value)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the answer to %s: %w", l.method, err)
	}
	if !hasEntries {
		l.warn(domain.ListMissing, "", l.bounds.member)
	}
	if rawjson.IsNull(entries) { // as Go writes an empty list
		entries = json.RawMessage("[]")
	}
	var definitions []json.RawMessage
	err = l.scanner.EachElement(entries, func(value []byte) error {
		if l.bounds.admits(value) {
			definitions = append(definitions, value)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the member %q of the answer to %s: %w", l.bounds.member, l.method, err)
	}
	for i, definition := range definitions {
		l.add(l.bounds.entries-len(definitions)+i+1, definition)
	}
	if l.bounds.pages > 0 && rawjson.Kind(next) == '"' && len(l.names) == known {
		l.list.Warnings = l.list.Warnings[:warned]
	}
	return next, nil
}

// expire notes how long a page may be used (2026-07-28, caching). The list may be used as long as all
// its pages.
func (l *listing) expire(ttl json.RawMessage) {
	ms, err := strconv.ParseInt(string(ttl), 10, 64)
	if err != nil || ms < 0 {
		return // not valid
	}
	freshFor := time.Duration(min(ms, maxFresh.Milliseconds())) * time.Millisecond
	if !l.list.Expires || freshFor < l.list.FreshFor {
		l.list.Expires, l.list.FreshFor = true, freshFor
	}
}

// add adds the definition in the entry of the given number, unless its name is missing or repeated, or
// the tool cannot be called.
func (l *listing) add(number int, definition json.RawMessage) {
	var name string
	err := l.scanner.EachMember(definition, func(member, value []byte) error {
		if string(member) == "name" {
			name = rawjson.Text(value)
		}
		return nil
	})
	if err != nil || name == "" {
		l.warn(domain.ToolWithoutName, "", strconv.Itoa(number))
		return
	}
	shown := domain.ShownText(name)
	if l.names[name] {
		l.warn(domain.ToolListedTwice, shown, "")
		return
	}
	l.names[name] = true
	if err := l.admit(name, definition); err != nil {
		l.warn(domain.ToolLeftOut, shown, err.Error())
		return
	}
	l.list.Tools = append(l.list.Tools, domain.ToolInfo{Name: name, Shown: shown, Definition: bytes.Clone(jsonrpc.JoinLines(definition))}) // the page is not kept
	if found := suspicious(name, definition); found != "" {
		l.warn(domain.SuspiciousText, shown, found)
	}
}
