package extensions

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// Apps is the identifier of the extension.
	Apps = "io.modelcontextprotocol/ui"
	// mimeType is the type of pages. A host that renders pages declares it.
	mimeType = "text/html;profile=mcp-app"
	// pageScheme is the scheme of the addresses of pages.
	pageScheme = "ui://"
	// oldMember is the member of _meta that named the page before ui.resourceUri did.
	oldMember = "ui/resourceUri"
)

// RendersPages reports whether the capabilities of a host declare that it renders pages ("Client (Host)
// Capabilities"). Unknown settings of the extension make no difference.
func RendersPages(capabilities json.RawMessage) bool {
	settings := rawjson.Member(rawjson.Member(capabilities, "extensions"), Apps)
	types, err := rawjson.Parse(rawjson.Member(settings, "mimeTypes"))
	return err == nil && slices.Contains(types.Texts(), mimeType)
}

// Interface is what the definition of a tool says about its user interface.
type Interface struct {
	// Page is the address of the page that shows its results, "" for none.
	Page string
	// ForModel and ForApp report whether a model and the pages of its server can call the tool. By default both can.
	ForModel, ForApp bool
}

// ReadInterface returns what a definition says. An address that is not that of a page, is longer than 2 KiB, or has "."
// or ".." segments, is ignored.
func ReadInterface(definition json.RawMessage) Interface {
	meta := rawjson.Member(definition, "_meta")
	ui := rawjson.Member(meta, "ui")
	tool := Interface{Page: page(rawjson.Member(ui, "resourceUri")), ForModel: true, ForApp: true}
	if tool.Page == "" {
		tool.Page = page(rawjson.Member(meta, oldMember))
	}
	if visibility := rawjson.Member(ui, "visibility"); rawjson.Kind(visibility) == '[' {
		visible, err := rawjson.Parse(visibility)
		tool.ForModel = err == nil && slices.Contains(visible.Texts(), "model")
		tool.ForApp = err == nil && slices.Contains(visible.Texts(), "app")
	}
	return tool
}

// ToolsForModel returns the tools that a model can call, in a new list.
func ToolsForModel(tools []domain.ToolInfo) []domain.ToolInfo {
	return slices.DeleteFunc(slices.Clone(tools), func(tool domain.ToolInfo) bool { return !ReadInterface(tool.Definition).ForModel })
}

// page returns the address of a page, "" if the raw value is not one.
func page(value json.RawMessage) string {
	address := rawjson.Text(value)
	if !IsPage(address) || len(address) > maxAddress {
		return ""
	}
	path, _, _ := strings.Cut(strings.TrimPrefix(address, pageScheme), "#")
	path, _, _ = strings.Cut(path, "?")
	if domain.PathClimbs(path) {
		return "" // hosts that resolve it would show the page of another server
	}
	return address
}

// IsPage reports whether an address is that of a page.
func IsPage(address string) bool {
	return strings.HasPrefix(address, pageScheme) && len(address) > len(pageScheme)
}

// WithPage returns a definition with another address for its page. The definition must have a page.
func WithPage(definition json.RawMessage, address string) json.RawMessage {
	quoted := rawjson.Quote(address)
	return editMeta(definition, func(meta json.RawMessage) json.RawMessage {
		if rawjson.HasMember(meta, oldMember) {
			meta = rawjson.With(meta, oldMember, quoted)
		}
		if ui := rawjson.Member(meta, "ui"); rawjson.HasMember(ui, "resourceUri") {
			meta = rawjson.With(meta, "ui", rawjson.With(ui, "resourceUri", quoted))
		}
		return meta
	})
}

// OnlyForPages returns a definition changed so that only pages can call the tool. It then names no page, since hosts
// show no page for such calls.
func OnlyForPages(definition json.RawMessage) json.RawMessage {
	return editMeta(visible(definition, `["app"]`), func(meta json.RawMessage) json.RawMessage {
		return rawjson.Without(rawjson.With(meta, "ui", rawjson.Without(rawjson.Member(meta, "ui"), "resourceUri")), oldMember)
	})
}

// OnlyForModels returns a definition changed so that no page can call the tool.
func OnlyForModels(definition json.RawMessage) json.RawMessage {
	return visible(definition, `["model"]`)
}

func visible(definition json.RawMessage, to string) json.RawMessage {
	return editMeta(definition, func(meta json.RawMessage) json.RawMessage {
		return rawjson.With(meta, "ui", rawjson.With(rawjson.Member(meta, "ui"), "visibility", []byte(to)))
	})
}

func editMeta(definition json.RawMessage, edit func(json.RawMessage) json.RawMessage) json.RawMessage {
	meta := rawjson.Member(definition, "_meta")
	if rawjson.Kind(meta) != '{' {
		meta = json.RawMessage("{}")
	}
	return rawjson.With(definition, "_meta", edit(meta))
}

// WithPageAddresses replaces the server's own address of a page in the result of reading that page. The new address
// is the one that the host asked for.
func WithPageAddresses(result json.RawMessage, own, asked string) json.RawMessage {
	return editList(result, "contents", func(content []byte) []byte {
		if rawjson.Text(rawjson.Member(content, "uri")) != own {
			return content
		}
		return rawjson.With(content, "uri", rawjson.Quote(asked))
	})
}

// PageAddress returns the address under which a host reads a page of a server: ui://TOOLBOX/SERVER/ and what
// follows ui:// in the server's own address. No two pages of different servers have the same one.
func PageAddress(server domain.ServerID, own string) string {
	return pageScheme + server.URLPath() + "/" + strings.TrimPrefix(own, pageScheme)
}

// ReadPageAddress reverses PageAddress: it returns the server, and the server's own address of the page. Ok is false
// for texts that PageAddress does not return.
func ReadPageAddress(address string) (server domain.ServerID, own string, ok bool) {
	rest, isPage := strings.CutPrefix(address, pageScheme)
	server, own, ok = domain.CutURLPath(rest)
	return server, pageScheme + own, isPage && ok
}
