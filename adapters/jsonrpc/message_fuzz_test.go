package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// messageSeeds has a line for each kind of message and of mistake.
var messageSeeds = []string{
	``, ` `, `{}`, `[]`, `null`, `1`, `"a"`, `{`, `[{}`, `{"a":}`, `{} {}`, "\ufeff{}",
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":[1,{"b":null}]},"_meta":{"progressToken":1}}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":[1, 2]}`, `{"id":"\u0041\/","jsonrpc":"2.0","method":"\u006d","params":null}`,
	`{"jsonrpc":"2.0","id":-1.5e+30,"result":{"content":[]},"error":null}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"a":1,"resultType":"complete","a":{}}}`, `{"jsonrpc":"2.0","id":1,"result":{},"result":{"b":[{}]}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"b":2},"result":[]}`, "{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{\r}}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}",
	`{"jsonrpc":"2.0","id":null,"method":"m"}`, `{"jsonrpc":"2.0","id":{},"method":"m"}`, `{"jsonrpc":"1.0","id":7,"method":"m"}`,
	`{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}`, `{"JSONRPC":"2.0","ID":1,"Method":"m"}`, `{"jsonrpc":"2.0","id":1,"method":""}`,
	"{\"jsonrpc\":\"2.0\",\"method\":\"m\xff\",\"params\":\"\xc3\"}", `{"jsonrpc":"2.0","method":"\ud800","params":{"\udfff":"\ud83d\ude00"}}`,
	"\t{ \"jsonrpc\" :\r\"2.0\" , \"id\" : 1 , \"result\" : [ ] } ", `{"\u006asonrpc":"2.0","\u0069d":1,"result":0}`,
}

// readMessage is a reference implementation of scanning a message, with
// encoding/json. The rejection is nil, rawjson.ErrSyntax or jsonrpc.ErrInvalid.
func readMessage(line []byte) (jsonrpc.Message, error) {
	if !json.Valid(line) {
		return jsonrpc.Message{}, rawjson.ErrSyntax
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members == nil {
		return jsonrpc.Message{}, jsonrpc.ErrInvalid
	}
	var message jsonrpc.Message
	id, method := members["id"], members["method"]
	switch {
	case id == nil:
	case id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		message.ID = id
	case string(id) != "null" || method != nil:
		return jsonrpc.Message{}, jsonrpc.ErrInvalid
	}
	result, failure := members["result"], members["error"]
	var name mcp.MCPMethod
	if method != nil && (json.Unmarshal(method, &name) != nil || name == "") ||
		string(members["jsonrpc"]) != `"2.0"` || method == nil && result == nil && failure == nil {
		return message, jsonrpc.ErrInvalid
	}
	message.Method, message.Params, message.Result, message.Error = name, members["params"], result, failure
	return message, nil
}

// FuzzMessage compares the scanner with encoding/json, and checks that ids keep their
// bytes (row W13 of the matrix).
func FuzzMessage(f *testing.F) {
	for _, seed := range messageSeeds {
		f.Add([]byte(seed))
	}
	used := rawjson.NewScanner()
	f.Fuzz(func(t *testing.T, line []byte) {
		want, wantErr := readMessage(line)
		got, err := jsonrpc.ParseMessage(used, line)
		walked, params, treeErr := jsonrpc.ParseMessageTree(rawjson.NewScanner(), line, func(int, []byte) bool { return true })
		if !errors.Is(err, wantErr) || !errors.Is(treeErr, wantErr) {
			t.Fatalf("rejected with %v and %v, want %v", err, treeErr, wantErr)
		}
		if !same(got, want) || !same(walked, want) {
			t.Fatalf("scanned %+v and %+v, want %+v", got, walked, want)
		}
		if err == nil {
			if clean := utf8.Valid(line) && !bytes.ContainsAny(line, "\r\n"); got.Clean != clean || walked.Clean != clean {
				t.Fatalf("clean: %t, %q", !clean, line)
			}
			checkSeen(t, line, got)
			checkWalk(t, walked.Params, params)
			checkEcho(t, got.ID)
		}
	})
}

func same(a, b jsonrpc.Message) bool {
	return a.Method == b.Method && (a.ID == nil) == (b.ID == nil) && bytes.Equal(a.ID, b.ID) && bytes.Equal(a.Params, b.Params) &&
		bytes.Equal(a.Result, b.Result) && bytes.Equal(a.Error, b.Error) && (a.Result == nil) == (b.Result == nil) && (a.Error == nil) == (b.Error == nil)
}

// checkSeen compares the members of a result that ParseAnswer reports with those of a plain walk.
func checkSeen(t *testing.T, line []byte, message jsonrpc.Message) {
	var seen, last, want []string
	answer, err := jsonrpc.ParseAnswer(rawjson.NewScanner(), line, func(name, value []byte) {
		if name == nil {
			last, seen = seen, nil
		} else {
			seen = append(seen, string(name), string(value))
		}
	})
	if err != nil || !same(answer, message) || answer.Clean != message.Clean {
		t.Fatalf("read %+v, %v, want %+v", answer, err, message)
	}
	if rawjson.Kind(message.Result) != '{' {
		return
	}
	_ = rawjson.EachMember(message.Result, func(name, value []byte) error { // scanned before
		want = append(want, string(name), string(value))
		return nil
	})
	if !slices.Equal(last, want) {
		t.Fatalf("saw %q, want %q", last, want)
	}
}

// checkWalk compares a tree with the members that a plain walk of its text finds.
func checkWalk(t *testing.T, text []byte, tree rawjson.Tree) {
	if isObject := rawjson.Kind(text) == '{'; isObject != tree.Walked() {
		t.Fatalf("walked %t: %q", tree.Walked(), text)
	}
	if !tree.Walked() {
		return
	}
	type pair struct{ name, value []byte } // copies of deep texts would be large
	var want, got []pair
	err := rawjson.NewScanner().EachMember(text, func(name, value []byte) error {
		want = append(want, pair{name, value})
		return nil
	})
	tree.Each(func(name, value []byte, members rawjson.Tree) {
		got = append(got, pair{name, value})
		checkWalk(t, value, members)
	})
	if err != nil || len(got) != len(want) {
		t.Fatalf("walked %q as %q, %v", text, got, err)
	}
	for i := range want {
		if !bytes.Equal(got[i].name, want[i].name) || !bytes.Equal(got[i].value, want[i].value) {
			t.Fatalf("walked %q as %q", text, got)
		}
	}
}

// checkEcho checks that an accepted id comes back with its bytes unchanged.
func checkEcho(t *testing.T, id json.RawMessage) {
	if id == nil || !utf8.Valid(id) {
		return
	}
	line := lineOf(jsonrpc.Result(id, json.RawMessage("{}")))
	echoed, err := jsonrpc.ParseMessage(rawjson.NewScanner(), []byte(line))
	if err != nil || !bytes.Equal(echoed.ID, id) {
		t.Fatalf("the id %q came back as %q, %v", id, echoed.ID, err)
	}
}

// FuzzSalvage salvages the id of messages that can be read whole. It must be the id
// of the message, or nil.
func FuzzSalvage(f *testing.F) {
	for _, seed := range messageSeeds {
		f.Add([]byte(seed), uint16(20))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","result":{"a":"b","id":1},"id":2}`), uint16(12))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":"x,\"id\":3}"}`), uint16(40))
	f.Fuzz(func(t *testing.T, line []byte, size uint16) {
		message, err := jsonrpc.ParseMessage(rawjson.NewScanner(), line)
		head, tail := line[:min(len(line), int(size))], line[max(0, len(line)-int(size)):]
		salvaged := jsonrpc.SalvageID(head, tail)
		if err != nil || salvaged == nil || repeatsID(line) {
			return
		}
		if !bytes.Equal(salvaged, message.ID) {
			t.Fatalf("salvaged %q of the message with the id %q: %q", salvaged, message.ID, line)
		}
	})
}

// repeatsID reports whether a message has several ids, the last of which counts.
func repeatsID(line []byte) bool {
	seen := 0
	_ = rawjson.EachMember(line, func(name, _ []byte) error { // scanned before
		if string(name) == "id" {
			seen++
		}
		return nil
	})
	return seen > 1
}

// split is a reference implementation of a line reader. It returns nil for a line over the
// limit.
func split(text []byte, limit int) (lines [][]byte, rest []byte) {
	for {
		line, after, found := bytes.Cut(text, []byte{'\n'})
		switch {
		case !found && len(line) > limit:
			return append(lines, nil), nil
		case !found:
			return lines, line
		case len(line) > limit:
			lines = append(lines, nil)
		default:
			lines = append(lines, bytes.TrimSuffix(line, []byte{'\r'}))
		}
		text = after
	}
}

// chunks returns its text in pieces whose sizes repeat.
type chunks struct {
	text  []byte
	sizes []byte
	read  int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(c.sizes) > 0 {
		size += int(c.sizes[c.read%len(c.sizes)])
	}
	c.read++
	n := copy(p, c.text[:min(size, len(c.text))])
	c.text = c.text[n:]
	return n, nil
}

// FuzzLines compares the reader with a plain splitter, however the bytes arrive (row
// W13 of the matrix).
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\r\n\nab\rc\r\nrest"), []byte{0, 3, 200}, uint16(5))
	f.Add(bytes.Repeat([]byte("0123456789\n0\n"), 10), []byte{12}, uint16(9))
	f.Add([]byte("\ufeffa\n\ufeffb\n"), []byte{0}, uint16(9))
	f.Add([]byte("\n\n\n\xff\x00\r\r\n"), []byte{}, uint16(0))
	f.Add(append(bytes.Repeat([]byte{'x'}, 9<<10), "\nnext\n"...), []byte{255}, uint16(5<<10))
	f.Fuzz(func(t *testing.T, text, sizes []byte, limit uint16) {
		want, rest := split(text, int(limit))
		switch mark := []byte("\ufeff"); {
		case len(want) == 0:
			rest = bytes.TrimPrefix(rest, mark)
		case want[0] != nil:
			want[0] = bytes.TrimPrefix(want[0], mark)
		}
		reader := jsonrpc.NewLineReader(&chunks{text: text, sizes: sizes}, int64(limit))
		for i, line := range want {
			got, err := reader.Next()
			tooLong, over := errors.AsType[*jsonrpc.TooLongError](err)
			switch {
			case line == nil && !over:
				t.Fatalf("line %d is over the limit and was read: %q, %v", i, got, err)
			case line == nil:
				checkEnds(t, tooLong, int(limit))
			case err != nil || !bytes.Equal(got, line):
				t.Fatalf("line %d is %q and was read as %q, %v", i, line, got, err)
			}
		}
		got, err := reader.Next()
		if !errors.Is(err, io.EOF) || !bytes.Equal(got, rest) {
			t.Fatalf("the rest is %q and was read as %q, %v", rest, got, err)
		}
	})
}

// checkEnds checks the size and the ends that are reported for an oversize line.
func checkEnds(t *testing.T, tooLong *jsonrpc.TooLongError, limit int) {
	t.Helper()
	if tooLong.Size <= int64(limit) || tooLong.Limit != limit {
		t.Errorf("%d bytes are over the limit of %d", tooLong.Size, tooLong.Limit)
	}
	const sample = 4 << 10
	// The head is the part that had arrived when the limit was passed.
	if len(tooLong.Head) < min(limit+1, sample) || len(tooLong.Tail) != int(min(tooLong.Size, sample)) {
		t.Errorf("of %d bytes kept %d and %d", tooLong.Size, len(tooLong.Head), len(tooLong.Tail))
	}
}
