package ui

import (
	"crypto/sha256"
	_ "embed" // of the files below
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
)

// asset is a file that pages use. It is the same for all viewers.
type asset struct {
	name, path, kind, text string
}

var (
	//go:embed assets/style.css
	styleText string
	//go:embed assets/script.js
	scriptText string
	//go:embed assets/icon.svg
	iconText string
)

var assets = []asset{
	newAsset("style", ".css", "text/css; charset=utf-8", styleText),
	newAsset("script", ".js", "text/javascript; charset=utf-8", scriptText),
	newAsset("icon", ".svg", "image/svg+xml", iconText),
}

// assetAt returns the asset at a path below Path, nil if there is none.
func assetAt(path string) *asset {
	for _, a := range assets {
		if a.path == path {
			return &a
		}
	}
	return nil
}

// assetAddress returns the address of the asset with a name, for a page.
func assetAddress(name string) string {
	at := slices.IndexFunc(assets, func(a asset) bool { return a.name == name })
	return relative(assets[at].path)
}

// newAsset returns an asset whose path contains a digest of its text, so that browsers can cache it for ever.
func newAsset(name, suffix, kind, text string) asset {
	sum := sha256.Sum256([]byte(text))
	return asset{name: name, path: "/" + name + "-" + hex.EncodeToString(sum[:6]) + suffix, kind: kind, text: text}
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", a.kind)
	header.Set("Content-Length", strconv.Itoa(len(a.text)))
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(a.text)) // if that fails, the browser is gone
	}
}
