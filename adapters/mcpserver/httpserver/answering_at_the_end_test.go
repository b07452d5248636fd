package httpserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// waitedFor is the context of a request, which does something first when its handler waits for it.
type waitedFor struct {
	context.Context //nolint:containedctx // the type is a context itself
	first           func()
}

func (c waitedFor) Done() <-chan struct{} {
	c.first()
	return c.Context.Done()
}

var _ = Describe("An answer that comes right before its session ends", func() {
	It("is sent", spec.InBubble(func(t *testing.T) {
		d := newTestHandler().open()
		for range 32 { // either could be noticed first
			h := d.connect(ann)
			host := d.host()
			ended := sync.OnceFunc(func() {
				host.last().reply(ports.Answer{Result: json.RawMessage(`{"content":[]}`)}, nil)
				d.begin(ann, "DELETE", h.headers(), "")
			})
			ctx := waitedFor{access.With(t.Context(), ann), func() {
				if host.count() > 0 {
					ended()
				}
			}}
			r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(request("2", "tools/call", using("")))).WithContext(ctx)
			for name, value := range h.headers() {
				r.Header.Set(name, value)
			}
			response := httptest.NewRecorder()

			d.ServeHTTP(response, r)

			Expect(response.Code).To(Equal(200), response.Body.String())
			Expect(response.Body.String()).To(ContainSubstring(`"content":[]`))
		}
	}))
})
