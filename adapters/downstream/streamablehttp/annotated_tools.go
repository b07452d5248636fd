package streamablehttp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"mcp-workbench/domain/rawjson"
)

// annotatedTools are the tools whose calls repeat arguments in headers, or can be made twice. Safe for concurrent use.
type annotatedTools struct {
	log        *slog.Logger
	headers    sync.Map // name of a tool to []argumentHeader
	repeatable sync.Map // names of tools that only read or are idempotent, by their annotations
}

// noteRepeatable notes whether calls of a tool can be made twice.
func (t *annotatedTools) noteRepeatable(name string, definition json.RawMessage) {
	annotations := rawjson.Member(definition, "annotations")
	for _, hint := range []string{"readOnlyHint", "idempotentHint"} {
		if string(rawjson.Member(annotations, hint)) == "true" {
			t.repeatable.Store(name, struct{}{})
			return
		}
	}
	t.repeatable.Delete(name)
}

// isRepeatable reports whether calls of a tool can be made twice.
func (t *annotatedTools) isRepeatable(name string) bool {
	_, is := t.repeatable.Load(name)
	return is
}

// admit notes a tool. As the protocol requires, it refuses a tool with invalid annotations, whose
// calls could not have the headers that the server needs.
func (t *annotatedTools) admit(name string, definition json.RawMessage) error {
	t.headers.Delete(name)
	if !bytes.Contains(definition, []byte(`"`+annotation+`"`)) { // as in nearly every tool
		return nil
	}
	headers, err := argumentHeaders(rawjson.Member(definition, "inputSchema"))
	if err != nil {
		t.log.Warn("left out a tool whose x-mcp-header annotations are not valid", "tool", name, "error", err)
		return fmt.Errorf("its x-mcp-header annotations are not valid: %w", err)
	}
	t.headers.Store(name, headers)
	return nil
}

// setHeaders sets the headers that repeat arguments of a call.
func (t *annotatedTools) setHeaders(header http.Header, name string, params json.RawMessage) {
	headers, ok := t.headers.Load(name)
	if !ok {
		return
	}
	arguments := rawjson.Member(params, "arguments")
	for _, argument := range headers.([]argumentHeader) {
		if value, ok := argument.value(arguments); ok {
			header.Set(argument.name, value)
		}
	}
}
