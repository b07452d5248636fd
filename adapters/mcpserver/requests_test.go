package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/gomega"
)

// modernMeta is in the _meta of every request of 2026-07-28.
const modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// initialize shakes hands, declaring what the host can do.
func initialize(capabilities string) string {
	return request(`"hello"`, "initialize",
		`{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
}

// request returns the line of a request; params may be empty.
func request(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
}

// modern returns the line of a request of 2026-07-28 with these members of params.
func modern(id, method, members string) string {
	if members != "" {
		members += ","
	}
	return request(id, method, `{`+members+`"_meta":{`+modernMeta+`}}`)
}

func notification(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

func cancelled(id string) string {
	return notification("notifications/cancelled", `{"requestId":`+id+`}`)
}

// openToolbox calls open_toolbox with these arguments.
func openToolbox(id, arguments string) string {
	return request(id, "tools/call", `{"name":"open_toolbox","arguments":`+arguments+`}`)
}

// useTool calls use_tool with these arguments.
func useTool(id, arguments string) string {
	return request(id, "tools/call", `{"name":"use_tool","arguments":`+arguments+`}`)
}

// read is the tool that most specs use.
const read = `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"n":1}}`

// resultLine is the line of a result.
func resultLine(id, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// errorLine is the line of an error.
func errorLine(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, quote(message))
}

// textLine is the line of a tool's result with one text.
func textLine(id, text string) string {
	return resultLine(id, `{"content":[{"type":"text","text":`+quote(text)+`}]}`)
}

// failedLine is the line of a tool's result that is an error with one text.
func failedLine(id, text string) string {
	return resultLine(id, `{"content":[{"type":"text","text":`+quote(text)+`}],"isError":true}`)
}

func quote(text string) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	Expect(encoder.Encode(text)).To(Succeed())
	return strings.TrimSuffix(quoted.String(), "\n")
}

// fields decodes a line.
func fields(line string) map[string]any {
	var decoded map[string]any
	Expect(json.Unmarshal([]byte(line), &decoded)).To(Succeed())
	return decoded
}
