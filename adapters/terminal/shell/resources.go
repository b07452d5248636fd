package shell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ResourceReader lists and reads the resources of servers that are connected. Safe for concurrent use.
type ResourceReader interface {
	// ListResourcesOf returns the resources of a server, or their templates, none for a server without resources.
	ListResourcesOf(ctx context.Context, server domain.ServerID, kind domain.ResourceKind) ([]domain.Resource, error)
	// RequestResource is that of ports.ResourceReader.
	RequestResource(ctx context.Context, uri string, request ports.ResourceRequest, to domain.ServerID, reply ports.ServerReply)
}

// ResourceListing is the output of read without the URI of a resource.
type ResourceListing struct {
	resources, templates []domain.Resource
}

// ListResources starts the server of a place and lists its resources and templates.
//
// Failures: *CommandError, and any other cause.
func (t *Tools) ListResources(ctx context.Context, place Place) (ResourceListing, error) {
	server, err := t.connect(ctx, place)
	if err != nil {
		return ResourceListing{}, err
	}
	var listing ResourceListing
	if listing.resources, err = t.Reader.ListResourcesOf(ctx, server, domain.Resources); err != nil {
		return ResourceListing{}, fmt.Errorf("list the resources of %s: %w", server.Path(), CallFailed(err))
	}
	if listing.templates, err = t.Reader.ListResourcesOf(ctx, server, domain.ResourceTemplates); err != nil {
		// Many servers with resources know no templates, and refuse to list them.
		t.Log.Warn("could not list the templates of resources", "toolbox", server.Toolbox, "server", server.Server, "error", err)
	}
	return listing, nil
}

// ReadResource starts the server of a place, reads a resource of it, and returns the raw result. A timeout of 0 waits
// without a limit.
//
// Failures: *CommandError, and any other cause.
func (t *Tools) ReadResource(ctx context.Context, place Place, uri string, timeout time.Duration) (json.RawMessage, error) {
	server, err := t.connect(ctx, place)
	if err != nil {
		return nil, err
	}
	reading := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		reading, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	t.Host.calls.Store(true)
	defer t.Host.calls.Store(false)
	t.Screen.Show("reading " + domain.LineText(uri))
	defer t.Screen.Show()
	request := ports.ResourceRequest{Message: ports.Message{
		Method: "resources/read", Params: rawjson.Object{}.Text("uri", uri).JSON(),
	}, Purpose: ports.ReadResource}
	outcomes := make(chan outcome, 1)
	t.Reader.RequestResource(reading, uri, request, server, func(_ domain.ServerID, answer ports.Answer, err error) {
		outcomes <- outcome{ports.Answer{Result: bytes.Clone(answer.Result), Error: bytes.Clone(answer.Error)}, err}
	})
	ended := <-outcomes
	switch {
	case ended.err != nil && reading.Err() != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("no result within %s; the server was told to stop", timeout)
	case errors.Is(ended.err, domain.ErrResourceNotFound):
		return nil, usageError("%s has no resources", server.Path())
	case ended.err != nil:
		return nil, CallFailed(ended.err)
	case ended.answer.Error != nil:
		return nil, &CommandError{ToolError, fmt.Errorf("the server answered with an error: %s", domain.LineText(string(ended.answer.Error)))}
	}
	return ended.answer.Result, nil
}

// connect starts the server of a place.
func (t *Tools) connect(ctx context.Context, place Place) (domain.ServerID, error) {
	listed, err := t.List(ctx, place, func(domain.OpenedServer) {})
	if err != nil {
		return domain.ServerID{}, err
	}
	server := listed.Servers[0]
	if server.Failure != nil {
		return domain.ServerID{}, CallFailed(server.Failure)
	}
	return server.ID, nil
}

// Show prints the listing, as a table or as one JSON object with the server's own bytes.
func (l ResourceListing) Show(out *terminal.Output, asJSON bool, paint terminal.Paint) error {
	if asJSON {
		listing := rawjson.Object{}.Raw("resources", DefinitionsOf(l.resources)).Raw("resourceTemplates", DefinitionsOf(l.templates))
		if _, err := out.Data().Write(append(listing.JSON(), '\n')); err != nil {
			return fmt.Errorf("print the resources: %w", err)
		}
		return nil
	}
	table := terminal.Table{Headings: []string{"RESOURCE", "NAME", "DESCRIPTION"}}
	for _, resources := range [][]domain.Resource{l.resources, l.templates} {
		for _, resource := range resources {
			text := func(member string) string {
				return domain.LineText(rawjson.Text(rawjson.Member(resource.Definition, member)))
			}
			table.Rows = append(table.Rows, []string{domain.LineText(resource.URI), text("name"), text("description")})
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table.Print(out, out.Columns(), paint)
}

// DefinitionsOf returns a JSON array of the definitions of resources, in the bytes of their servers.
func DefinitionsOf(resources []domain.Resource) json.RawMessage {
	array := []byte{'['}
	for i, resource := range resources {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, resource.Definition...)
	}
	return append(array, ']')
}

// ShowContents prints what was read of a resource, with asJSON in the bytes of the server, else as much as fits.
func (p Printer) ShowContents(raw json.RawMessage, asJSON bool) error {
	if asJSON {
		if _, err := p.Out.Write(append(raw, '\n')); err != nil {
			return fmt.Errorf("print the resource: %w", err)
		}
		return nil
	}
	contents, err := rawjson.Parse(rawjson.Member(raw, "contents"))
	if err != nil || contents.Kind != '[' {
		return errors.New("the answer of the server has no contents; --json prints it")
	}
	parts := []byte{'['}
	for i, content := range contents.Parts {
		if i > 0 {
			parts = append(parts, ',')
		}
		parts = append(parts, rawjson.Object{}.Text("type", "resource").Raw("resource", content.Raw).JSON()...)
	}
	// A result of a tool can embed resources, and is printed and cut in the same way.
	return p.Show(rawjson.Object{}.Raw("content", append(parts, ']')).JSON(), io.Discard, false)
}
