package http

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// annotatedTools are the tools whose arguments a server of 2026-07-28 wants in
// headers too ("x-mcp-header" in a schema). Safe for concurrent use.
type annotatedTools struct {
	log   *slog.Logger
	tools sync.Map // name to *mcp.Tool
}

// note takes a result of tools/list. The search for the word spares nearly every
// list the scan.
func (t *annotatedTools) note(result json.RawMessage) {
	if !bytes.Contains(result, []byte(`"x-mcp-header"`)) {
		return
	}
	// What is no list of tools has none with annotations.
	_ = jsonrpc.NewScanner().Array(jsonrpc.Member(result, "tools"), func(definition []byte) error {
		name := jsonrpc.Text(jsonrpc.Member(definition, "name"))
		t.tools.Delete(name)
		if !bytes.Contains(definition, []byte(`"x-mcp-header"`)) {
			return nil
		}
		tool := &mcp.Tool{Name: name, RawInputSchema: bytes.Clone(jsonrpc.Member(definition, "inputSchema"))}
		if err := mcp.ValidateParamHeaderAnnotations(tool); err != nil {
			t.log.Warn("a tool wants arguments in headers in a way that is not valid; they stay in the message", "tool", name, "error", err)
			return nil
		}
		t.tools.Store(name, tool)
		return nil
	})
}

// headers returns the headers that repeat arguments of a call.
func (t *annotatedTools) headers(name string, params json.RawMessage) map[string]string {
	tool, ok := t.tools.Load(name)
	if !ok {
		return nil
	}
	return mcp.GenerateParamHeaders(tool.(*mcp.Tool), params)
}
