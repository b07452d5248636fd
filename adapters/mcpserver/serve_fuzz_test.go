package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
)

// FuzzServe sends anything and then asks whether anybody is still there.
// It is row U06 of the matrix.
func FuzzServe(f *testing.F) {
	for _, line := range []string{
		"", "\r", "hello", "{", "[]", "null", "7", "\x00", "\xff\xfe", "\ufeff{}", `{"jsonrpc":"2.0"}`, strings.Repeat("[", 20_000),
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":null}`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"\xff\"}", strings.Repeat("x", 5000),
		initialize(`{"roots":{}}`), request("1", "ping", ""), request("1e9", "tools/list", `{"cursor":1}`),
		openToolbox("1", `{"toolbox":"dev"}`), openToolbox("2", `{"Toolbox":7,"toolbox":"\u0000"}`),
		useTool("3", read), useTool("4", `{"tool":{"tool":[]},"arguments":{"a":1e400}}`),
		modern("5", "tools/call", `"name":"use_tool","arguments":`+read), modern("6", "server/discover", ""),
		modern("7", "subscriptions/listen", `"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["a"]}`),
		request("8", "resources/read", `{"uri":"file:///x"}`), request("9", "tasks/get", `{"taskId":null}`),
		request("10", "logging/setLevel", `{"level":"info"}`), cancellation("1"), cancellation(`"\u0041"`),
		modern("11", "tools/call", `"name":"use_tool","requestState":"mcp-workbench:x","arguments":`+read),
		request("12", "prompts/get", `{"name":"x","name":"p","_meta":{"progressToken":1},"arguments":{}}`), request("13", "prompts/list", `{"cursor":"x"}`),
		modern("14", "prompts/get", `"name":"p","requestState":"mcp-workbench:x"`),
		request("15", "completion/complete", `{"ref":{"type":"ref/prompt","name":"p","name":"p"},"argument":{"name":"a","value":""}}`),
		modern("16", "completion/complete", `"ref":{"type":"ref/resource","uri":"a:{b}"}`),
	} {
		f.Add([]byte(line))
		f.Add([]byte(line + "\n" + request("1", "ping", "") + "\n" + line))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		const id = `"are you still there?"`
		if bytes.Contains(input, []byte("still")) {
			return
		}
		w := newWorkbench()
		w.limits.MessageSize = 4 << 10
		w.find = findsReview
		var out screen
		lines := append(bytes.Clone(input), "\n"+request(id, "ping", "")+"\n"...)
		if _, err := w.server().Serve(t.Context(), bytes.NewReader(lines), mcpserver.Output{Writer: &out}); err != nil {
			t.Fatalf("the conversation ended: %v", err)
		}
		malformed, alive := 0, false
		for _, line := range out.lines() {
			var answer struct {
				JSONRPC string
				ID      json.RawMessage
				Error   *struct{ Code int }
			}
			if !utf8.ValidString(line) || json.Unmarshal([]byte(line), &answer) != nil || answer.JSONRPC != "2.0" {
				t.Fatalf("said %q", line)
			}
			if answer.Error != nil && answer.Error.Code == -32700 {
				malformed++
			}
			alive = alive || string(answer.ID) == id && answer.Error == nil
		}
		if !alive {
			t.Errorf("the host is gone; said %q", out.lines())
		}
		if first, _, _ := bytes.Cut(input, []byte("\n")); len(first) <= int(w.limits.MessageSize) {
			input = bytes.TrimPrefix(input, []byte("\ufeff"))
		}
		if wanted := countMalformed(input, int(w.limits.MessageSize)); malformed != wanted {
			t.Errorf("%d lines were called malformed, %d are; said %q", malformed, wanted, out.lines())
		}
		if answers := len(out.lines()); answers > 2*bytes.Count(lines, []byte("\n")) {
			t.Errorf("%d lines for %q", answers, lines)
		}
	})
}

// countMalformed counts the lines that are no JSON, of those that are read at all.
func countMalformed(input []byte, limit int) int {
	malformed := 0
	for line := range bytes.SplitSeq(input, []byte("\n")) {
		if len(line) <= limit && len(bytes.TrimSpace(line)) > 0 && !json.Valid(bytes.TrimSuffix(line, []byte("\r"))) {
			malformed++
		}
	}
	return malformed
}

// FuzzSealedState sends anything as the state of a server. Nothing but the state that was
// given gets there. It is row B01 of the matrix.
func FuzzSealedState(f *testing.F) {
	for _, text := range []string{"", "mcp-workbench-sealed:", "mcp-workbench:x", "mcp-workbench-sealed:AAAA", strings.Repeat("A", 200)} {
		f.Add(text, 0, byte(0))
		f.Add(text, 30, byte(1))
	}
	f.Fuzz(func(t *testing.T, text string, at int, flip byte) {
		RegisterTestingT(t)
		synctest.Test(t, func(t *testing.T) {
			w, server := newWorkbench(), &continuable{result: `{"resultType":"input_required","requestState":"s"}`}
			server.at(w)
			r := w.remote(t.Context())
			defer r.Close(t.Context())
			sealed := []byte(sealedIn(r.send(continuedUse("", read))))
			given := string(sealed)
			if at >= 0 && at < len(sealed) {
				sealed[at] ^= flip
			}
			for _, tried := range []string{text, string(sealed), string(sealed) + text, text + string(sealed)} {
				server.continued = nil
				r.send(continuedUse(`"requestState":`+quote(tried)+`,`, read))
				if reached := len(server.continued) > 0; reached != (tried == given) {
					t.Errorf("%q: reached the server: %v", tried, reached)
				}
			}
		})
	})
}
