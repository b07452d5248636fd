package ui

import (
	"crypto/sha256"
	_ "embed" // of the files below
	"encoding/hex"
	"net/http"
	"strconv"
)

// asset is a file that pages use. It is the same for all viewers.
type asset struct {
	path, kind, text string
}

var (
	//go:embed assets/style.css
	styleText string
	//go:embed assets/script.js
	scriptText string
	//go:embed assets/icon.svg
	iconText string
)

type files struct {
	style, script, icon *asset
}

var assets = files{
	style:  newAsset("style", ".css", "text/css; charset=utf-8", styleText),
	script: newAsset("script", ".js", "text/javascript; charset=utf-8", scriptText),
	icon:   newAsset("icon", ".svg", "image/svg+xml", iconText),
}

// at returns the asset at a path below Path, nil if there is none.
func (f files) at(path string) *asset {
	for _, a := range []*asset{f.style, f.script, f.icon} {
		if a.path == path {
			return a
		}
	}
	return nil
}

// byName returns the asset with a name.
func (f files) byName(name string) *asset {
	return map[string]*asset{"style": f.style, "script": f.script, "icon": f.icon}[name]
}

// newAsset returns an asset whose path contains a digest of its text, so that browsers can cache it for ever.
func newAsset(name, suffix, kind, text string) *asset {
	sum := sha256.Sum256([]byte(text))
	return &asset{path: "/" + name + "-" + hex.EncodeToString(sum[:6]) + suffix, kind: kind, text: text}
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

// address returns the address of the asset, for a page.
func (a *asset) address() string { return relative(a.path) }
