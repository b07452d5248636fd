package ui

import (
	"cmp"
	"embed"
	"html/template"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"
)

//go:embed templates/*.html
var templateFiles embed.FS

// templates returns the parsed templates. They are parsed at the first page, so that a workbench without one pays
// nothing.
var templates = sync.OnceValue(func() *template.Template {
	lineEnds := regexp.MustCompile(`\n[\t ]*`)
	all := template.New("").Funcs(template.FuncMap{
		"asset": assetAddress, "sections": func() any { return sections },
		"bytes": func(n int) string { return size(int64(n)) }, "size": size, "count": count, "count64": func(n int64) string { return count(int(n)) },
		"counted": quantity, "short": short, "share": share, "callTime": callTime, "milliseconds": milliseconds, "cut": domain.CutCharacters,
		"orDash": func(text string) string { return cmp.Or(text, "–") },
		"utc":    func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") },
		"kind":   func(kind domain.ActivityKind) string { return kinds[kind] }, "costs": costs,
		"outcomeText": outcomeText, "outcomeClass": outcomeClass,
	})
	files, _ := templateFiles.ReadDir("templates") // an embedded folder can be read
	for _, file := range files {
		text, _ := templateFiles.ReadFile("templates/" + file.Name())
		template.Must(all.Parse(lineEnds.ReplaceAllString(string(text), "")))
	}
	return all
})

// render returns what a template writes about data. Invisible characters, and those that reorder others, are shown as
// escapes. An error is a mistake in the template, since its text is built in memory.
func render(name string, data any) template.HTML {
	var text strings.Builder
	if err := templates().ExecuteTemplate(&text, name, data); err != nil {
		panic(err)
	}
	return template.HTML(domain.TerminalText(text.String())) //nolint:gosec // a template wrote and escaped it
}

// sendDocument sends the document that a template writes.
func sendDocument(w http.ResponseWriter, status int, name string, data any) {
	text := string(render(name, data))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // a failure means that the browser is gone; the answer to HEAD has no body
}
