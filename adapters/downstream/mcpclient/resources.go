package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// ListResources implements ports.Session.
func (s *Session) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	method, member, uri := mcp.MethodResourcesList, "resources", "uri"
	switch kind {
	case domain.Resources:
	case domain.ResourceTemplates:
		method, member, uri = mcp.MethodResourcesTemplatesList, "resourceTemplates", "uriTemplate"
	case domain.Skills:
		method, member = jsonrpc.MethodSkillsList, "skills"
	}
	bounds := bounds{member: member, limit: s.server.Limits.MessageSize}
	var entries []domain.Resource
	err := s.readPages(ctx, method, &bounds, func(result json.RawMessage) (next json.RawMessage, err error) {
		// The host decides whether an entry is valid.
		_ = rawjson.NewScanner().EachElement(rawjson.Member(result, member), func(value []byte) error {
			if bounds.admits(value) {
				entries = append(entries, domain.Resource{
					Server: s.server.ID, URI: rawjson.Text(rawjson.Member(value, uri)), Definition: bytes.Clone(value), // the page is not kept
				})
			}
			return nil
		})
		return rawjson.Member(result, "nextCursor"), nil
	})
	if err != nil {
		return entries, s.messages.Unavailable(ctx, fmt.Errorf("listing its %s: %w", member, err))
	}
	if bounds.cut != "" {
		s.messages.log.Warn("a list of the server was cut", "list", member, "at", bounds.cut)
	}
	return entries, nil
}

// resourcesOf returns the URIs of resources in a result's list: the "content" of a tool, or the
// "messages" of a prompt. The text search avoids a scan of nearly every result.
func resourcesOf(result json.RawMessage, list string) []string {
	if !bytes.Contains(result, []byte(`"uri"`)) {
		return nil
	}
	var uris []string
	// A member that is not a list has no resources.
	_ = rawjson.NewScanner().EachElement(rawjson.Member(result, list), func(content []byte) error {
		if list == "messages" {
			content = rawjson.Member(content, "content")
		}
		if embedded := rawjson.Member(content, "resource"); embedded != nil {
			content = embedded
		}
		if uri := rawjson.Text(rawjson.Member(content, "uri")); uri != "" {
			uris = append(uris, uri)
		}
		return nil
	})
	return uris
}
