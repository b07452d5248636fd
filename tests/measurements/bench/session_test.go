package main

import (
	"strings"
	"testing"

	"mcp-workbench/tests/measurements/bench/wire"
)

// A benchmark that accepted any answer would show broken programs as fast.
func TestOnlyTheRightAnswerCounts(t *testing.T) {
	const id = firstID + 1
	call := toolCall{text: []byte(`line\nend`)}
	const right = `"result":{"content":[{"type":"text","text":"line\nend"}]}`
	for name, c := range map[string]struct {
		lines string
		ok    bool
	}{
		"the usual form":           {`{"jsonrpc":"2.0","id":1000000001,` + right + `}`, true},
		"members in another order": {`{` + right + `, "id":1000000001, "jsonrpc":"2.0"}`, true},
		"after a notification":     {`{"jsonrpc":"2.0","method":"x"}` + "\n" + `{"jsonrpc":"2.0","id":1000000001,` + right + `}`, true},
		"after a question":         {`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1000000001,` + right + `}`, true},
		"of another id":            {`{"jsonrpc":"2.0","id":1000000002,` + right + `}`, false},
		"an error":                 {`{"jsonrpc":"2.0","id":1000000001,"error":{"code":1,"message":"` + `"text":"line\nend"` + `"}}`, false},
		"a longer text":            {`{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nend."}]}}`, false},
		"a shorter text":           {`{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nen"}]}}`, false},
		"another text":             {`{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nEnd"}]}}`, false},
		"no text":                  {`{"jsonrpc":"2.0","id":1000000001,"result":{"content":[]}}`, false},
		"no message":               {`hello`, false},
		"nothing":                  {``, false},
	} {
		s := &session{lines: wire.NewLines(strings.NewReader(c.lines + "\n"))}
		line, err := s.await(id)
		if err == nil {
			err = call.verify(line, false)
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQuantile(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	if got := median(values); got != 3 {
		t.Errorf("median %v", got)
	}
	if got := median([]float64{1, 2}); got != 1.5 {
		t.Errorf("median of two %v", got)
	}
	if got := spread(values); got != 1 {
		t.Errorf("spread %v", got)
	}
	if got := quantile(values, 1); got != 5 {
		t.Errorf("greatest %v", got)
	}
}
