package ui

import (
	"io"
	"net/http"
	"net/url"
	"strconv"

	"mcp-workbench/adapters/ui/html"
)

// sections are the pages in the navigation.
var sections = []struct{ path, title string }{
	{"/", "Overview"}, {"/calls", "Calls"}, {"/tools", "Tools"}, {"/failures", "Failures"},
}

// send sends a whole page.
func (q *request) send(w http.ResponseWriter, status int, p *page) {
	var doc html.Writer
	q.writePage(&doc, p)
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(doc.Len()))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, doc.String()) // a failure means that the browser is gone; the answer to HEAD has no body
}

func (q *request) writePage(w *html.Writer, p *page) {
	writeHead(w, p.title, "")
	w.Start("body", html.When(p.changing, "data-events"), eventsAddress(q.path, q.query))
	w.Element("a", "Skip to the content", "class", "skip", "href", "#main")
	q.writeHeader(w, p)
	w.Start("main", "id", "main", "tabindex", "-1")
	w.Start("div", "class", "title").Element("h1", p.title)
	if p.spanned {
		q.writeSpans(w)
	}
	w.End()
	if q.history != nil && !q.complete {
		w.Element("p", "The record is still being read. Reload the page to see all of it.", "class", "note")
	}
	w.Start("div", "class", "parts")
	for _, part := range p.parts {
		writePart(w, part)
	}
	w.End().End()
	w.Start("footer").Start("p").Text("MCP Workbench " + q.pages.settings.Version + ". This page is read-only: it changes nothing. Times are in " + q.now.Format("UTC-07:00") + ".").End().End()
	w.Element("p", "", "id", "news", "class", "unseen", "role", "status")
	w.End().End()
}

func writeHead(w *html.Writer, title, refresh string) {
	w.Doctype().Start("html", "lang", "en").Start("head")
	w.Void("meta", "charset", "utf-8")
	w.Void("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
	w.Void("meta", "name", "color-scheme", "content", "light dark")
	w.Void("meta", "name", "referrer", "content", "no-referrer")
	if refresh != "" {
		w.Void("meta", "http-equiv", "refresh", "content", refresh)
	}
	w.Element("title", title+" – MCP Workbench")
	w.Void("link", "rel", "icon", "type", "image/svg+xml", "href", assets.icon.address())
	w.Void("link", "rel", "stylesheet", "href", assets.style.address())
	w.Element("script", "", "src", assets.script.address(), "defer", "")
	w.End()
}

func (q *request) writeHeader(w *html.Writer, p *page) {
	w.Start("header").Start("div", "class", "bar")
	w.Start("a", "class", "brand", "href", overviewAddress)
	w.Void("img", "src", assets.icon.address(), "alt", "", "width", "22", "height", "22")
	w.Element("span", "MCP Workbench").End()
	w.Start("nav", "aria-label", "Pages").Start("ul")
	for _, s := range sections {
		w.Start("li").Element("a", s.title, "href", q.link(s.path), html.When(p.path == s.path, "aria-current"), "page").End()
	}
	w.End().End()
	w.Element("p", "", "id", "live", "class", "live")
	w.End().End()
}

// writeSpans writes links that choose how far back the page looks.
func (q *request) writeSpans(w *html.Writer) {
	w.Start("nav", "class", "spans", "aria-label", "Period").Start("ul")
	for _, s := range spans {
		query := url.Values{}
		for name, values := range q.query {
			if name != "since" && name != "before" && name != "page" && len(values) > 0 {
				query.Set(name, values[0])
			}
		}
		query.Set("since", s.name)
		w.Start("li").Element("a", s.title, "href", relative(q.path)+"?"+query.Encode(), html.When(s.name == q.span.name, "aria-current"), "true").End()
	}
	w.End().End()
}

// writePart writes a section of a page.
func writePart(w *html.Writer, p part) {
	class := "part"
	if p.wide {
		class = "part wide"
	}
	if p.title == "" {
		w.Start("div", "class", class, "id", p.id)
		p.write(w)
		w.End()
		return
	}
	w.Start("section", "class", class, "id", p.id, "aria-labelledby", p.id+"-title")
	w.Element("h2", p.title, "id", p.id+"-title")
	p.write(w)
	w.End()
}

// notFound returns the page for an address without a page.
func notFound() *page {
	return &page{title: "Not found", missing: true, parts: []part{{id: "missing", write: func(w *html.Writer) {
		w.Start("p").Text("There is no such page. ").Element("a", "Go to the overview", "href", overviewAddress).End()
	}}}}
}

// eventsAddress returns the address of a page's events.
func eventsAddress(path string, query url.Values) string {
	events := url.Values{}
	for name, values := range query {
		if len(values) > 0 && name != pageKey {
			events.Set(name, values[0])
		}
	}
	events.Set(pageKey, path)
	return relative("/events") + "?" + events.Encode()
}

// pageKey is the query parameter with the path of the page to which events belong.
const pageKey = "path"
