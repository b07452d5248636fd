package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"mcp-workbench/domain"
)

// List is a list in which the user chooses any number of lines.
type List struct {
	Title   string
	Options []Option
	// Group is the word for groups, such as "toolbox". The user can change the group of each option. It is
	// "" if there are no groups.
	Group string
	// CheckGroup returns why a typed name cannot be that of a group. A nil CheckGroup accepts every name.
	CheckGroup func(name string) error
}

// Option is a line of a list.
type Option struct {
	Label string
	// Detail follows the label.
	Detail string
	// Group is the name of the option's group. It is shown before the label.
	Group  string
	Chosen bool
}

// text returns the line of an option, without escapes.
func (o Option) text() string {
	line := o.Label
	if o.Group != "" {
		line = o.Group + "/" + line
	}
	if o.Detail != "" {
		line += "  " + o.Detail
	}
	return domain.LineText(line)
}

// Choose shows a list until the user presses Enter, and returns its options with the choices. Keys that were
// typed before the list was shown are dropped.
//
//   - The arrow keys, Page Up, Page Down, Home and End move. The list says how many lines are out of sight.
//   - Characters, Backspace and Ctrl-U change the filter: only lines that contain it are shown.
//   - Space chooses or unchooses a line; Ctrl-A does so with all lines that are shown.
//   - Tab changes the group of a line: to that of another line, or to a typed name.
//   - Escape clears the filter. Without a filter it ends the list, as Ctrl-C does.
//
// Failures: ErrInterrupted for Ctrl-C and Escape; ErrAborted at the end of the input; those of the terminal.
func (t *Terminal) Choose(list List) ([]Option, error) {
	asking, keys := t.out.Begin(), t.out.console.keys
	defer asking.End()
	restore, err := asking.keys()
	if err != nil {
		return nil, err
	}
	defer restore()
	keys.forget()
	p, canvas := newPicker(list), canvas{terminal: t, question: asking}
	for {
		if err := canvas.draw(p.view); err != nil {
			return nil, err
		}
		pressed, err := t.out.console.key()
		if err != nil {
			return nil, err
		}
		if pressed.kind == keyInterrupt {
			return nil, ErrInterrupted
		}
		switch p.press(pressed) {
		case cancelled:
			return nil, ErrInterrupted
		case finished:
			return p.lines.options, canvas.draw(func(width, _ int) []string {
				return append(wrapLines(list.Title, width), Fit("  "+p.summary(), width-1))
			})
		}
	}
}

// canvas is the part of the screen that a list takes. In raw mode, lines end with CR and LF.
type canvas struct {
	terminal *Terminal
	question *Question
	drawn    []string
}

// draw replaces the drawn lines with those that view returns for the size of the screen.
func (c *canvas) draw(view func(width, height int) []string) error {
	width, height, err := term.GetSize(int(c.terminal.out.console.keys.file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	var out strings.Builder
	if up := countRows(c.drawn, width); up > 0 {
		out.WriteString("\x1b[" + strconv.Itoa(min(up, height-1)) + "A")
	}
	c.drawn = view(width, height)
	for _, line := range c.drawn {
		text := domain.TerminalText(line)
		if strings.HasPrefix(line, pointer) {
			text = terminalText(c.terminal.paint(Bold, line))
		}
		out.WriteString("\r" + text + "\x1b[K\r\n")
	}
	out.WriteString("\x1b[J")
	return c.question.raw(out.String())
}

// countRows returns how many rows lines take. They may have been drawn on a wider screen.
func countRows(lines []string, width int) int {
	rows := 0
	for _, line := range lines {
		rows += max(1, (Cells(line)+width-1)/width)
	}
	return rows
}

// step is the effect of a key on a picker.
type step int

const (
	continued step = iota
	finished
	cancelled
)

// picker is a list to choose from, and its menu of groups while that is open.
type picker struct {
	list  List
	lines lines
	menu  *lines // nil while it is closed
}

func newPicker(list List) *picker {
	hint := "Type to filter, space chooses, Ctrl-A all or none, "
	if list.Group != "" {
		hint += "Tab changes the " + list.Group + ", "
	}
	return &picker{list: list, lines: lines{
		title: list.Title, hint: hint + "Enter continues.", options: slices.Clone(list.Options), checkboxes: true,
	}}
}

// press handles a key.
func (p *picker) press(pressed key) step {
	if p.menu != nil {
		p.pressInMenu(pressed)
		return continued
	}
	at, hasLine := p.lines.current()
	switch {
	case pressed.kind == keyEnter:
		return finished
	case pressed.kind == keyEscape && p.lines.filter == "":
		return cancelled
	case pressed.kind == keyTab && hasLine && p.list.Group != "":
		p.menu = p.groups(p.lines.options[at])
	case pressed.kind == keySpace && hasLine:
		p.lines.options[at].Chosen = !p.lines.options[at].Chosen
	case pressed.kind == keyEvery:
		p.lines.chooseEvery()
	default:
		p.lines.press(pressed)
	}
	return continued
}

// groups returns the menu of all groups. The group of the option is its current line.
func (p *picker) groups(option Option) *lines {
	menu := &lines{
		title: domain.LineText(fmt.Sprintf("The %s of %s:", p.list.Group, option.Label)),
		hint:  "Enter selects the line; type to filter, or to name another " + p.list.Group + "; Escape goes back.",
		adds:  "another " + p.list.Group + ": ",
	}
	for _, other := range p.lines.options {
		if !slices.ContainsFunc(menu.options, func(o Option) bool { return o.Label == other.Group }) {
			menu.options = append(menu.options, Option{Label: other.Group})
		}
	}
	slices.SortFunc(menu.options, func(a, b Option) int { return strings.Compare(a.Label, b.Label) })
	menu.at = slices.IndexFunc(menu.options, func(o Option) bool { return o.Label == option.Group })
	return menu
}

// pressInMenu handles a key while the menu of groups is open.
func (p *picker) pressInMenu(pressed key) {
	switch pressed.kind {
	case keyEscape:
		p.menu = nil
		return
	case keyEnter, keyTab:
	default:
		p.menu.press(pressed)
		return
	}
	chosen, hasLine := p.menu.current()
	if !hasLine {
		return
	}
	group := p.menu.filter
	if chosen != typedLine {
		group = p.menu.options[chosen].Label
	} else if p.list.CheckGroup != nil {
		if err := p.list.CheckGroup(group); err != nil {
			p.menu.problem = err.Error()
			return
		}
	}
	at, _ := p.lines.current()
	option := &p.lines.options[at]
	option.Group, p.menu = group, nil
	if !p.lines.isShown(*option) {
		p.lines.filter = "" // otherwise the current line would disappear
		p.lines.at = at
	}
}

// view returns the lines of the screen.
func (p *picker) view(width, height int) []string {
	if p.menu != nil {
		return p.menu.view(width, height)
	}
	return p.lines.view(width, height)
}

// summary returns how many options are chosen, and which.
func (p *picker) summary() string {
	var chosen []string
	for _, option := range p.lines.options {
		if option.Detail = ""; option.Chosen {
			chosen = append(chosen, option.text())
		}
	}
	count := fmt.Sprintf("%d of %d", len(chosen), len(p.lines.options))
	if len(chosen) == 0 {
		return count
	}
	return count + ": " + strings.Join(chosen, ", ")
}
