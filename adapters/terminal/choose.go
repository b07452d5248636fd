package terminal

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"mcp-workbench/domain"
)

// Option is a line of a list.
type Option struct {
	Label  string
	Chosen bool
}

// Choose shows a list in which the person chooses any number of lines: arrow keys move, the space bar
// chooses, Enter ends. It returns the options with the choices.
//
// Failures: ErrAborted for Ctrl-C, Escape and q; those of the terminal.
func (t *Terminal) Choose(title string, options []Option) ([]Option, error) {
	asking, keys := t.out.Begin(), t.out.console.keys
	defer asking.End()
	state, err := term.MakeRaw(int(keys.file.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = term.Restore(int(keys.file.Fd()), state) }() // a terminal that is gone needs no restoring
	keys.forget()
	list := list{title: title, options: slices.Clone(options), terminal: t, question: asking}
	if err := list.draw(false); err != nil {
		return nil, err
	}
	for {
		pressed, err := t.out.console.key()
		if err != nil {
			return nil, err
		}
		switch pressed {
		case keyUp:
			list.move(-1)
		case keyDown:
			list.move(1)
		case keySpace:
			list.options[list.at].Chosen = !list.options[list.at].Chosen
		case keyEnter:
			return list.options, asking.raw("\r\n")
		case keyAbort:
			return nil, ErrAborted
		}
		if err := list.draw(true); err != nil {
			return nil, err
		}
	}
}

// list is a list on the screen.
type list struct {
	title    string
	options  []Option
	at       int
	first    int // the first visible option
	terminal *Terminal
	question *Question
}

func (l *list) move(by int) { l.at = (l.at + by + len(l.options)) % len(l.options) }

// draw writes as much of the list as fits the screen, over an earlier drawing. In raw mode lines end
// with CR and LF.
func (l *list) draw(again bool) error {
	width, height, err := term.GetSize(int(l.terminal.out.console.keys.file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	title := l.terminal.wrapped(domain.TerminalText(l.title) + " (arrow keys, space, Enter)")
	visible := min(len(l.options), max(height-strings.Count(title, "\n")-2, 1))
	l.first = min(max(l.first, l.at-visible+1), l.at)
	var out strings.Builder
	if again {
		out.WriteString("\x1b[" + strconv.Itoa(visible) + "A")
	} else {
		out.WriteString(strings.ReplaceAll(title, "\n", "\r\n") + "\r\n")
	}
	for i, option := range l.options[l.first : l.first+visible] {
		pointer, checkbox := "  ", "[ ] "
		if option.Chosen {
			checkbox = "[x] "
		}
		label := Fit(domain.LineText(option.Label), max(width-7, 2))
		if l.first+i == l.at {
			pointer, label = "> ", shown(l.terminal.paint(Bold, label))
		}
		out.WriteString("\r\x1b[K" + pointer + checkbox + label + "\r\n")
	}
	return l.question.raw(out.String())
}
