package terminal

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"mcp-workbench/domain"
)

// Option is one line of a list.
type Option struct {
	Label  string
	Chosen bool
}

// Choose shows a list and lets the person choose any of its lines: arrow keys move, the
// space bar chooses, Enter ends. It returns the options as they were left.
//
// Failures: ErrAborted for Ctrl-C, Escape and q; those of the terminal.
func (t *Terminal) Choose(title string, options []Option) ([]Option, error) {
	state, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = term.Restore(int(t.in.Fd()), state) }() // a terminal that is gone needs nothing back
	list := list{title: title, options: slices.Clone(options), terminal: t}
	if err := list.draw(false); err != nil {
		return nil, err
	}
	for {
		pressed, err := t.key()
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
			return list.options, t.write("\r\n")
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
	first    int // the first option that is shown
	terminal *Terminal
}

func (l *list) move(by int) { l.at = (l.at + by + len(l.options)) % len(l.options) }

// draw writes as much of the list as fits the screen, over what is there already. In raw
// mode a line ends with CR and LF.
func (l *list) draw(again bool) error {
	width, height, err := term.GetSize(int(l.terminal.in.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	title := l.terminal.wrapped(domain.TerminalText(l.title) + " (arrow keys, space, Enter)")
	shown := min(len(l.options), max(height-strings.Count(title, "\n")-2, 1))
	l.first = min(max(l.first, l.at-shown+1), l.at)
	var out strings.Builder
	if again {
		out.WriteString("\x1b[" + strconv.Itoa(shown) + "A")
	} else {
		out.WriteString(strings.ReplaceAll(title, "\n", "\r\n") + "\r\n")
	}
	for i, option := range l.options[l.first : l.first+shown] {
		pointer, box := "  ", "[ ] "
		if option.Chosen {
			box = "[x] "
		}
		label := fitting(domain.TerminalText(option.Label), width-7)
		if l.first+i == l.at {
			pointer, label = "> ", l.terminal.paint(Bold, label)
		}
		out.WriteString("\r\x1b[K" + pointer + box + label + "\r\n")
	}
	return l.terminal.write(out.String())
}

// fitting cuts a text to a number of characters, with an ellipsis: a line that wraps
// would be two.
func fitting(text string, width int) string {
	width = max(width, 2)
	if runes := []rune(text); len(runes) > width {
		return strings.TrimRight(string(runes[:width-1]), " ") + "…"
	}
	return text
}
