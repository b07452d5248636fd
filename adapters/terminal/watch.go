package terminal

import (
	"context"
	"time"
)

// Watch draws the lines that view returns for the size of the screen, and redraws them after each interval, until
// the context ends or the user presses q, Escape or Ctrl-C. Lines that do not fit are left out. It needs a terminal
// that can ask (Output.CanAsk).
//
// Failures: those of the terminal.
func (t *Terminal) Watch(ctx context.Context, interval time.Duration, view func(width, height int) []string) error {
	asking := t.out.Begin()
	defer asking.End()
	restore, err := asking.keys()
	if err != nil {
		return err
	}
	defer restore()
	left := make(chan struct{})
	go func() { // the read cannot be cancelled, so the goroutine may last until the program ends
		defer close(left)
		for {
			pressed, err := t.out.console.key()
			isQ := pressed.kind == keyCharacter && (pressed.character == 'q' || pressed.character == 'Q')
			if err != nil || isQ || pressed.kind == keyInterrupt || pressed.kind == keyEscape {
				return
			}
		}
	}()
	canvas := canvas{terminal: t, question: asking}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if err := canvas.draw(func(width, height int) []string { return fitting(view(width, height), width, height) }); err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-left:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// fitting returns the lines that fit on a screen, cut to its width.
func fitting(lines []string, width, height int) []string {
	if len(lines) >= height {
		lines = lines[:max(height-1, 1)]
	}
	fit := make([]string, len(lines))
	for i, line := range lines {
		fit[i] = Fit(line, width-1)
	}
	return fit
}
