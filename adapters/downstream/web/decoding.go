package web

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// decode makes the body of a response readable without its coding. Servers and proxies compress answers
// although the workbench asks for none. Readers bound what they read, so a small body that becomes
// a large one costs no more than a large one. A body in a coding other than gzip is an error that names it.
func (e *Endpoint) decode(response *http.Response) error {
	coding := strings.ToLower(strings.TrimSpace(response.Header.Get("Content-Encoding")))
	switch coding {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
		response.Body = &gunzipped{compressed: response.Body}
		response.ContentLength = -1
		response.Header.Del("Content-Length")
		response.Header.Del("Content-Encoding")
		return nil
	}
	_ = response.Body.Close() // it cannot be read
	return fmt.Errorf("the server at %s compresses its answers in a way that was not asked for (Content-Encoding %.40q)", e.Origin(), coding)
}

// gunzipped is a body that gzip compressed. The header is read with the first bytes, since that of a
// stream may come late.
type gunzipped struct {
	compressed io.ReadCloser
	text       *gzip.Reader
	err        error
}

// Read implements io.Reader.
func (g *gunzipped) Read(into []byte) (int, error) {
	if g.text == nil && g.err == nil {
		g.text, g.err = gzip.NewReader(g.compressed)
	}
	if g.err != nil {
		return 0, g.err
	}
	return g.text.Read(into)
}

// Close implements io.Closer.
func (g *gunzipped) Close() error { return g.compressed.Close() }
