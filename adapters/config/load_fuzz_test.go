package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
)

// loadSeeds is one file for each path through the loader.
var loadSeeds = []string{
	``, `{}`, `[]`, `null`, `"a"`, `{"toolboxes":{}}`, "\ufeff// c\r\n{\"toolboxes\": {},}", "{\x00}\x00", "{\"a\":\"\xff\"}",
	`{"toolboxes":{"a.b":{"description":"d","mcpServers":{"s":{"command":"x","args":["${TOKEN}","${NOT_SET}"],"env":{"A":"${NOT_SET:-d}"}}}}}}`,
	`{"toolboxes":{"a":{"mcpServers":{"s":{"url":"${TOKEN}","headers":{"_h":"v"},"oauth":{"_":1,"n":[1e400,{"x":1,"x":2}]}}}}}}`,
	`{"toolboxes":{"a":{"mcpServers":{"s":{"type":"sse"},"t":{"type":"stdio","transport":"http"},"u":{"disabled":true},"":7}}}}`,
	`{"toolboxes":{"a":{},"a":{"mcpServers":{}},"b":[],"__":{"servers":{}},"_x":{"a":1}},"toolboxes":1}`,
	`{"toolboxes":{"a":{"mcpServers":{"s":{"command":5,"args":[1,"${"],"env":{"A":2},"cwd":{"a":"${}"},"agrs":1}}}}}`,
	`{"logLevel":"debug","toolMode":"dynamic","limits":{"connect":"1s","call":0,"messageSize":"1MiB","shutdown":"11s"},"inheritEnv":["A"],"toolboxes":{"a_b":{"mcpServers":{"s":{"command":"x","limits":{"call":1}}}}}}`,
	`{"mcpServers":{"s":{"command":"x","autoApprove":[],"timeout":1}}}`, `{"servers":{}}`,
	`{"a":`, `{"a"`, `{"a`, `{"a":1 "b":2}`, `[1,,2]`, `{'a':1}`, `{a:1}`, `{"a":"C:\dir"}`, "{\"a\":\"b\nc\"}", `{} /*`, `{} // c`, `{}}`,
	"{\"größe\":\n\"\u2028\"} // \u2028", strings.Repeat("[", 200), strings.Repeat(`{"a":`, 200), `"[[[[" // [[[`,
	`{"toolboxes":{"a":{"mcpServers":{"s":{"command":"\u0024{TOKEN}","args":["\ud800"]}}}}}`,
}

// FuzzLoad holds every problem to a place in the file, and keeps its secrets (row
// G06 of the matrix).
func FuzzLoad(f *testing.F) {
	for _, seed := range loadSeeds {
		f.Add([]byte(seed))
	}
	const secret = "an-expanded-value"
	f.Fuzz(func(t *testing.T, data []byte) {
		configuration, err := config.LoadBytes(data, []string{"TOKEN=" + secret}, transports())
		problems, warnings := []tree.Problem(nil), []tree.Problem(nil)
		var failure *config.InvalidError
		switch {
		case err == nil:
			warnings = configuration.Warnings
			checkServers(t, configuration)
		case errors.As(err, &failure):
			problems, warnings = failure.Problems, failure.Warnings
			if len(problems) == 0 {
				t.Error("invalid without a problem")
			}
		default:
			t.Fatalf("another kind of error: %v", err)
		}
		for _, problem := range append(problems, warnings...) {
			checkPosition(t, data, problem)
			if text := problem.String(); strings.Contains(text, secret) && !bytes.Contains(data, []byte(secret)) {
				t.Errorf("a problem shows an expanded value: %s", text)
			}
		}
	})
}

// checkServers holds every server to what the catalog promises.
func checkServers(t *testing.T, configuration *config.Configuration) {
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		if toolbox.Name == "" || strings.Contains(string(toolbox.Name), "__") || len(toolbox.Servers) == 0 {
			t.Errorf("accepted the toolbox %q with %d servers", toolbox.Name, len(toolbox.Servers))
		}
		for _, server := range toolbox.Servers {
			if !json.Valid(server.Settings) || !json.Valid(server.Configured) {
				t.Errorf("settings are not JSON: %s, %s", server.Settings, server.Configured)
			}
			if transports()[server.Transport] == nil {
				t.Errorf("accepted the transport %q", server.Transport)
			}
			if server.ID.Server == "" || server.ID.Toolbox != toolbox.Name || server.Limits.Connect <= 0 {
				t.Errorf("incomplete server %+v", server.ID)
			}
		}
	}
}

// checkPosition holds a problem to a position within the file, at the most right
// behind the last character of its line.
func checkPosition(t *testing.T, data []byte, problem tree.Problem) {
	if problem.File != "c.json" {
		t.Errorf("a problem outside of the file: %s", problem)
		return
	}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	if problem.Line < 1 || problem.Line > len(lines) {
		t.Errorf("line %d of %d: %s", problem.Line, len(lines), problem)
		return
	}
	if width := utf8.RuneCount(lines[problem.Line-1]); problem.Column < 1 || problem.Column > width+1 {
		t.Errorf("column %d of %d: %s", problem.Column, width, problem)
	}
}

// FuzzExpand leaves text without variables as it is (row G06 of the matrix).
func FuzzExpand(f *testing.F) {
	for _, text := range []string{
		"", "plain", "$", "$A", "${A}", "${A}${B}", "a${A}b", "${A:-d}", "${B:-}", "${B:-$A}", "${", "${A", "}", "${}", "${:-d}",
		"${A:-${B}}", "$${A}", "${1}", "${a b}", "${env:A}", "${B:-a:-b}", "größe ${A}", "\x00${A}\xff",
	} {
		f.Add(text, "${B}")
		f.Add(text, "value")
		f.Add(text, "}")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		expandTo := func(value string) (string, error) {
			expanded, _, err := config.Expand(text, func(name string) (string, bool) { return value, name == "A" })
			return expanded, err
		}
		expanded, err := expandTo(value)
		if !strings.Contains(text, "$") && (err != nil || expanded != text) {
			t.Errorf("%q became %q, %v", text, expanded, err)
		}
		const marker = "\x02marker\x03"
		if strings.Contains(text, "\x02") {
			return
		}
		// A marker holds nothing to expand, so that putting the value in its place
		// tells whether the value was looked at.
		marked, markedErr := expandTo(marker)
		if again := strings.ReplaceAll(marked, marker, value); again != expanded {
			t.Errorf("%q with A=%q became %q, not %q", text, value, expanded, again)
		}
		if (err == nil) != (markedErr == nil) {
			t.Errorf("%q with A=%q: %v, but %v", text, value, err, markedErr)
		}
	})
}
