package terminal

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"
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
	terminal *Terminal
}

func (l *list) move(by int) { l.at = (l.at + by + len(l.options)) % len(l.options) }

// draw writes the list, over the one that is there already. In raw mode a line ends
// with CR and LF.
func (l *list) draw(again bool) error {
	var out strings.Builder
	if again {
		out.WriteString("\x1b[" + strconv.Itoa(len(l.options)) + "A")
	} else {
		out.WriteString(Plain(l.title) + " (arrow keys, space, Enter)\r\n")
	}
	for i, option := range l.options {
		pointer, box := "  ", "[ ] "
		if option.Chosen {
			box = "[x] "
		}
		label := Plain(option.Label)
		if i == l.at {
			pointer, label = "> ", l.terminal.paint("1", label)
		}
		out.WriteString("\r\x1b[K" + pointer + box + label + "\r\n")
	}
	return l.terminal.write(out.String())
}
