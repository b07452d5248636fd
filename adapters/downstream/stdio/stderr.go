package stdio

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"
)

const (
	// maxLine is the length at which a line of stderr is cut.
	maxLine = 64 << 10
	// lastLines and lastBytes bound the part of stderr that a message quotes.
	lastLines = 5
	lastBytes = 800
)

// stderr reads a server's standard error to its end, logs it at a limited rate and keeps
// the last lines. It never stops reading, so a server that writes a lot is not blocked. Safe
// for concurrent use.
type stderr struct {
	log     *slog.Logger
	redact  func(string) string
	longest int  // length of the longest secret, quoted, in bytes
	rate    rate // used only by drain

	mu    sync.Mutex
	lines []stderrLine
	ended chan struct{}
}

// A stderrLine is a line as it was read, or a piece of a long one. It is redacted when it is
// shown, so that a flood of lines costs little.
type stderrLine struct {
	raw string
	// continues reports whether the line continues after this piece, continued whether it
	// began before.
	continues, continued bool
}

func newStderr(secrets domain.Secrets, log *slog.Logger) *stderr {
	longest := 0
	for _, secret := range secrets {
		longest = max(longest, len(strconv.Quote(secret.Value)))
	}
	return &stderr{log: log, redact: secrets.Redactor(), longest: longest, ended: make(chan struct{})}
}

// drain reads the source until it ends.
func (s *stderr) drain(source io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(source, maxLine)
	for inLine := false; ; {
		piece, err := lines.ReadSlice('\n')
		continues := errors.Is(err, bufio.ErrBufferFull)
		if inLine {
			s.extend(string(piece), continues)
		} else {
			s.note(stderrLine{raw: string(piece), continues: continues})
		}
		inLine = continues
		if err != nil && !continues {
			s.logDropped(s.rate.end())
			return
		}
	}
}

func (s *stderr) note(line stderrLine) {
	if strings.TrimSpace(line.raw) == "" {
		return
	}
	s.mu.Lock()
	s.lines = append(s.lines, line)
	if len(s.lines) > lastLines {
		s.lines = s.lines[1:]
	}
	s.mu.Unlock()
	if !s.log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	allowed, dropped := s.rate.allow(time.Now(), len(line.raw))
	s.logDropped(dropped)
	if allowed {
		s.log.Info("the server says", "stderr", s.shown(line))
	}
}

// extend adds a piece to the last line. Only the end of a long line is kept.
func (s *stderr) extend(piece string, continues bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) == 0 {
		return // so far the line is blank
	}
	line := &s.lines[len(s.lines)-1]
	before := line.raw[max(0, len(line.raw)-lastBytes-s.longest):]
	*line = stderrLine{raw: before + piece, continues: continues, continued: true}
}

func (s *stderr) logDropped(count int) {
	if count > 0 {
		s.log.Info("the server wrote more to stderr than is logged", "dropped", count)
	}
}

// shown returns the line without secrets and control characters. It drops the text
// next to a cut, where part of a secret would not be recognized.
func (s *stderr) shown(line stderrLine) string {
	text := s.redact(line.raw)
	if line.continued {
		text = "…" + text[min(len(text), s.longest):]
	}
	if line.continues {
		text = text[:max(0, len(text)-s.longest)] + "…"
	}
	return strings.TrimSpace(domain.ShownText(strings.ToValidUTF8(text, "")))
}

// last returns the last lines joined into one, "" if there were none.
func (s *stderr) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var shown []string
	for _, line := range s.lines {
		shown = append(shown, s.shown(line))
	}
	text := strings.Join(shown, " | ")
	if len(text) > lastBytes {
		text = "…" + strings.TrimPrefix(strings.ToValidUTF8(text[len(text)-lastBytes:], ""), "…")
	}
	return text
}
