package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// ListResources implements ports.Session.
func (s *Session) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	method, member, uri := domain.MethodResourcesList, "resources", "uri"
	if kind == domain.ResourceTemplates {
		method, member, uri = domain.MethodResourcesTemplatesList, "resourceTemplates", "uriTemplate"
	}
	listCtx, cancel := context.WithTimeout(ctx, listingTime)
	defer cancel()
	bounds := bounds{member: member, limit: s.server.Limits.MessageSize}
	var entries []domain.Resource
	params := json.RawMessage("{}")
	for page := 1; ; page++ {
		answer, err := request(listCtx, s.link, method, s.withMeta(params))
		if err == nil {
			err = answer.err()
		}
		if err != nil {
			return entries, Unavailable(ctx, s.server, fmt.Errorf("listing its %s: %w", member, err))
		}
		// Whether an entry is valid, the host decides.
		_ = rawjson.NewScanner().EachElement(rawjson.Member(answer.Result, member), func(value []byte) error {
			if bounds.admits(value) {
				entries = append(entries, domain.Resource{
					Server: s.server.ID, URI: rawjson.Text(rawjson.Member(value, uri)), Definition: bytes.Clone(value), // the page is not held
				})
			}
			return nil
		})
		cursor := rawjson.Member(answer.Result, "nextCursor")
		if rawjson.Kind(cursor) != '"' || bounds.endAt(page, cursor) {
			break
		}
		params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	if bounds.cut != "" {
		s.messages.log.Warn("a list of the server was cut", "toolbox", s.server.ID.Toolbox, "server", s.server.ID.Server, "list", member, "at", bounds.cut)
	}
	return entries, nil
}

// resourcesOf returns the URIs that the content of a tool's result points at. The
// search for the word avoids the scan of nearly every result.
func resourcesOf(result json.RawMessage) []string {
	if !bytes.Contains(result, []byte(`"uri"`)) {
		return nil
	}
	var uris []string
	// What is no list of content points at nothing.
	_ = rawjson.NewScanner().EachElement(rawjson.Member(result, "content"), func(content []byte) error {
		uris = appendResource(uris, content)
		return nil
	})
	return uris
}

// promptResourcesOf is resourcesOf for the messages of a prompt.
func promptResourcesOf(result json.RawMessage) []string {
	if !bytes.Contains(result, []byte(`"uri"`)) {
		return nil
	}
	var uris []string
	_ = rawjson.NewScanner().EachElement(rawjson.Member(result, "messages"), func(message []byte) error {
		uris = appendResource(uris, rawjson.Member(message, "content"))
		return nil
	})
	return uris
}

// appendResource appends the URI of the resource that a piece of content points at, if it
// does.
func appendResource(uris []string, content []byte) []string {
	if embedded := rawjson.Member(content, "resource"); embedded != nil {
		content = embedded
	}
	if uri := rawjson.Text(rawjson.Member(content, "uri")); uri != "" {
		uris = append(uris, uri)
	}
	return uris
}
