package mcpserver_test

import (
	"strings"
	"testing"
	"testing/synctest"

	. "github.com/onsi/gomega"
)

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
