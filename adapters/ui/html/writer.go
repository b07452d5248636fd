package html

import (
	"strings"

	"mcp-workbench/domain"
)

// Writer writes one document or a part of one. Names of elements and attributes are not escaped, so they must
// come from code, never from data. The zero value is ready. It is not safe for concurrent use.
type Writer struct {
	text strings.Builder
	open []string
}

// Start begins an element. Attributes are names and values in turn; an attribute without a name is left
// out.
func (w *Writer) Start(element string, attributes ...string) *Writer {
	w.tag(element, attributes)
	w.open = append(w.open, element)
	return w
}

// Void writes an element that has no content and no end.
func (w *Writer) Void(element string, attributes ...string) *Writer {
	w.tag(element, attributes)
	return w
}

// End ends the innermost open element.
func (w *Writer) End() *Writer {
	last := len(w.open) - 1
	w.text.WriteString("</" + w.open[last] + ">")
	w.open = w.open[:last]
	return w
}

// Element writes an element that contains a text.
func (w *Writer) Element(element, text string, attributes ...string) *Writer {
	return w.Start(element, attributes...).Text(text).End()
}

// Text writes a text. Invisible characters, and those that reorder others, are shown as escapes.
func (w *Writer) Text(text string) *Writer {
	_, _ = escapes.WriteString(&w.text, domain.TerminalText(text)) // a builder cannot fail
	return w
}

// String returns the text that was written.
func (w *Writer) String() string { return w.text.String() }

// Len returns the number of bytes that were written.
func (w *Writer) Len() int { return w.text.Len() }

// Doctype begins a page.
func (w *Writer) Doctype() *Writer {
	w.text.WriteString("<!doctype html>\n")
	return w
}

// escapes are the escapes both for text and for values in double quotes.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

func (w *Writer) tag(element string, attributes []string) {
	w.text.WriteString("<" + element)
	for i := 0; i+1 < len(attributes); i += 2 {
		name, value := attributes[i], attributes[i+1]
		if name == "" {
			continue
		}
		w.text.WriteString(" " + name + `="`)
		if isLink(name) {
			value = ownLink(value)
		}
		_, _ = escapes.WriteString(&w.text, domain.TerminalText(value)) // a builder cannot fail
		w.text.WriteByte('"')
	}
	w.text.WriteByte('>')
}

func isLink(attribute string) bool {
	return attribute == "href" || attribute == "src" || attribute == "action"
}

// ownLink returns a link if it leads to the same origin, and otherwise "#".
func ownLink(link string) string {
	isOwn := link != "" && (strings.HasPrefix(link, "./") || strings.ContainsRune("/?#", rune(link[0]))) && !strings.ContainsAny(link, "\\\t\r\n")
	if !isOwn || strings.HasPrefix(link, "//") {
		return "#"
	}
	return link
}

// When returns the name of an attribute if a condition is true. Otherwise it returns "", which leaves out the
// attribute.
func When(condition bool, attribute string) string {
	if condition {
		return attribute
	}
	return ""
}
