package streamablehttp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"mcp-workbench/domain/rawjson"
)

// annotatedTools are the tools whose calls repeat arguments in headers. Safe for concurrent
// use.
type annotatedTools struct {
	log     *slog.Logger
	headers sync.Map // name of a tool to []argumentHeader
}

// admit notes a tool. It refuses a tool with invalid annotations, as the protocol
// says: its calls could not carry the headers that the server relies on.
func (t *annotatedTools) admit(name string, definition json.RawMessage) error {
	t.headers.Delete(name)
	if !bytes.Contains(definition, []byte(`"`+annotation+`"`)) { // nearly every tool ends here
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

// setHeaders calls set with each header that repeats an argument of a call.
func (t *annotatedTools) setHeaders(name string, params json.RawMessage, set func(header, value string)) {
	headers, ok := t.headers.Load(name)
	if !ok {
		return
	}
	arguments := rawjson.Member(params, "arguments")
	for _, header := range headers.([]argumentHeader) {
		if value, ok := header.value(arguments); ok {
			set(header.name, value)
		}
	}
}
