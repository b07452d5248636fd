package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// ListPrompts implements ports.Session.
func (s *Session) ListPrompts(ctx context.Context) (domain.PromptList, error) {
	listing := newListing(mcp.MethodPromptsList, "prompts", s.server.Limits.MessageSize, func(string, json.RawMessage) error { return nil })
	err := s.readList(ctx, listing)
	var list domain.PromptList
	for _, entry := range listing.list.Tools {
		list.Prompts = append(list.Prompts, domain.Prompt{Name: entry.Name, Definition: entry.Definition})
	}
	for _, warning := range listing.list.Warnings {
		if why := leftOut(warning); why != "" {
			list.LeftOut = append(list.LeftOut, why)
		}
		if warning.Kind == domain.SuspiciousText {
			list.Suspicious = append(list.Suspicious, domain.Warning{Kind: domain.SuspiciousPrompt, Tool: warning.Tool, Detail: warning.Detail})
		}
	}
	return list, err
}

// leftOut returns why a prompt is not in the list, "" for any other warning.
func leftOut(warning domain.Warning) string {
	switch warning.Kind {
	case domain.ToolListedTwice:
		return fmt.Sprintf("prompt %q is listed more than once; the first definition counts", warning.Tool)
	case domain.ToolWithoutName:
		return fmt.Sprintf("entry %s has no name", warning.Detail)
	case domain.ListRepeated:
		if warning.Detail == "" {
			return "the list has an empty cursor and was ended there"
		}
		return fmt.Sprintf("the list repeated a page (cursor %q)", warning.Detail)
	case domain.ListMissing:
		return fmt.Sprintf("the answer has no member %q", warning.Detail)
	case domain.ListCut:
		return fmt.Sprintf("the list was cut at %s", warning.Detail)
	case domain.ListBroken:
		return fmt.Sprintf("the list broke off after its first pages (%s)", warning.Detail)
	}
	return ""
}
