package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// pointer precedes the current line.
	pointer = "> "
	// typedLine is the index of the line with the typed text.
	typedLine = -1
	// maxFilter is the maximum length of a filter, in bytes.
	maxFilter = 100
)

// lines are options on the screen. Only those that contain the filter are shown.
type lines struct {
	title, hint string
	options     []Option
	checkboxes  bool
	// adds begins a line with the typed text, which is shown if that is not the label of an option. It is
	// "" if there is no such line.
	adds string
	// problem says why the typed text cannot be used, "" if there is no problem.
	problem string

	filter string
	// at and first are the positions of the current line and the first visible one among the matching lines.
	at, first int
}

// isShown reports whether an option contains the filter. Case does not matter.
func (l *lines) isShown(option Option) bool {
	return strings.Contains(strings.ToLower(option.text()), strings.ToLower(l.filter))
}

// matching returns the indices of the options that are shown, and typedLine if that line is shown.
func (l *lines) matching() []int {
	var indices []int
	isTyped := l.filter != "" && l.adds != ""
	for i, option := range l.options {
		if l.isShown(option) {
			indices = append(indices, i)
		}
		isTyped = isTyped && option.Label != l.filter
	}
	if isTyped {
		indices = append(indices, typedLine)
	}
	return indices
}

// current returns the index of the current option, if any is shown.
func (l *lines) current() (index int, ok bool) {
	matching := l.matching()
	if len(matching) == 0 {
		return 0, false
	}
	return matching[min(l.at, len(matching)-1)], true
}

// chooseEvery chooses all options that are shown, or unchooses them if all are chosen.
func (l *lines) chooseEvery() {
	matching, allChosen := l.matching(), true
	for _, i := range matching {
		allChosen = allChosen && l.options[i].Chosen
	}
	for _, i := range matching {
		l.options[i].Chosen = !allChosen
	}
}

// press handles a key that moves or changes the filter.
func (l *lines) press(pressed key) {
	count := len(l.matching())
	const page = 10
	switch pressed.kind {
	case keyUp, keyDown:
		if count > 0 {
			l.at = (l.at + count + map[keyKind]int{keyUp: -1, keyDown: 1}[pressed.kind]) % count
		}
	case keyPageUp:
		l.at = max(l.at-page, 0)
	case keyPageDown:
		l.at = max(min(l.at+page, count-1), 0)
	case keyFirst:
		l.at = 0
	case keyLast:
		l.at = max(count-1, 0)
	case keyCharacter:
		if len(l.filter) < maxFilter {
			l.setFilter(l.filter + string(pressed.character))
		}
	case keyBackspace:
		_, size := utf8.DecodeLastRuneInString(l.filter)
		l.setFilter(l.filter[:len(l.filter)-size])
	case keyClear, keyEscape:
		l.setFilter("")
	}
}

// setFilter changes the filter. The current option stays current if it is still shown.
func (l *lines) setFilter(filter string) {
	before, _ := l.current()
	l.filter, l.problem, l.at = filter, "", 0
	for position, i := range l.matching() {
		if i == before && i != typedLine {
			l.at = position
		}
	}
}

// view returns the lines for a screen: at most one less than its height, if the screen is not too small.
func (l *lines) view(width, height int) []string {
	header, footer := wrapLines(l.title, width), l.footer(width)
	if hint := wrapLines(l.hint, width); len(header)+len(hint)+len(footer) <= height/2 {
		header = append(header, hint...)
	}
	matching := l.matching()
	room := max(height-len(header)-len(footer)-2, 1) // the counts and the cursor take a line each
	visible := min(len(matching), room)
	l.at = max(min(l.at, len(matching)-1), 0)
	l.first = max(min(l.first, l.at, len(matching)-visible), l.at-max(visible, 1)+1)
	out := header
	for position, i := range matching[l.first : l.first+visible] {
		out = append(out, Fit(l.line(i, l.first+position == l.at), width-1))
	}
	if len(matching) == 0 {
		out = append(out, "  (no match)")
	}
	if counts := l.counts(len(matching), visible); counts != "" {
		out = append(out, Fit(counts, width-1))
	}
	return append(out, footer...)
}

// line returns the line of an option.
func (l *lines) line(index int, isCurrent bool) string {
	line := "  "
	if isCurrent {
		line = pointer
	}
	if index == typedLine {
		return line + l.adds + l.filter
	}
	if l.checkboxes {
		line += map[bool]string{true: "[x] ", false: "[ ] "}[l.options[index].Chosen]
	}
	return line + l.options[index].text()
}

// counts returns how many options are chosen, and how many lines are out of sight.
func (l *lines) counts(matching, visible int) string {
	var parts []string
	if l.checkboxes {
		chosen := 0
		for _, option := range l.options {
			if option.Chosen {
				chosen++
			}
		}
		parts = append(parts, fmt.Sprintf("%d of %d chosen", chosen, len(l.options)))
	}
	if l.first > 0 {
		parts = append(parts, fmt.Sprintf("↑ %d more", l.first))
	}
	if below := matching - l.first - visible; below > 0 {
		parts = append(parts, fmt.Sprintf("↓ %d more", below))
	}
	return strings.Join(parts, "  ")
}

// footer returns the lines with the filter and the problem, if any.
func (l *lines) footer(width int) []string {
	var out []string
	if l.filter != "" {
		matching := len(l.matching())
		if l.adds == "" {
			out = append(out, Fit(fmt.Sprintf("Filter: %s  (%d of %d)", l.filter, matching, len(l.options)), width-1))
		} else {
			out = append(out, Fit("Typed: "+l.filter, width-1))
		}
	}
	if l.problem != "" {
		out = append(out, Fit(l.problem, width-1))
	}
	return out
}

// wrapLines breaks a text between words into lines that fit a width.
func wrapLines(text string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(Wrap(text, width-1), "\n") {
		out = append(out, Fit(line, width-1))
	}
	return out
}
