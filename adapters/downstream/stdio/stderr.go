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
	// longestLine is where a line of stderr is cut.
	longestLine = 64 << 10
	// lastLines and lastBytes bound what a message quotes of stderr.
	lastLines = 5
	lastBytes = 800
)

// stderr reads all that a server writes to its standard error, for as long as
// anything holds it open, logs it, at a bounded rate, and remembers the end of it.
// Nobody can be blocked by it. Safe for concurrent use.
type stderr struct {
	log     *slog.Logger
	redact  func(string) string
	longest int  // bytes of a secret
	rate    rate // belongs to drain

	mu    sync.Mutex
	lines []stderrLine
	ended chan struct{}
}

// stderrLine is a line as it was read, or a piece of a long one. It is made fit to
// be shown only when it is, so that a flood of lines costs little.
type stderrLine struct {
	raw string
	// goesOn and wentOn say that the line has more behind the piece, and before it.
	goesOn, wentOn bool
}

func newStderr(secrets domain.Secrets, log *slog.Logger) *stderr {
	longest := 0
	for _, secret := range secrets {
		longest = max(longest, len(strconv.Quote(secret.Value)))
	}
	return &stderr{log: log, redact: secrets.Redactor(), longest: longest, ended: make(chan struct{})}
}

// drain reads until the source ends.
func (s *stderr) drain(source io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(source, longestLine)
	for inLine := false; ; {
		piece, err := lines.ReadSlice('\n')
		goesOn := errors.Is(err, bufio.ErrBufferFull)
		if inLine {
			s.extend(string(piece), goesOn)
		} else {
			s.note(stderrLine{raw: string(piece), goesOn: goesOn})
		}
		inLine = goesOn
		if err != nil && !goesOn {
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

// extend takes the next piece of a long line: of that the end is remembered.
func (s *stderr) extend(piece string, goesOn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) == 0 {
		return // the line began with nothing to be seen
	}
	line := &s.lines[len(s.lines)-1]
	before := line.raw[max(0, len(line.raw)-lastBytes-s.longest):]
	*line = stderrLine{raw: before + piece, goesOn: goesOn, wentOn: true}
}

func (s *stderr) logDropped(count int) {
	if count > 0 {
		s.log.Info("the server said more on stderr than is logged", "dropped", count)
	}
}

// shown returns the line as it may be shown. At a cut there may be a part of a
// secret, which is not known as one.
func (s *stderr) shown(line stderrLine) string {
	text := s.redact(line.raw)
	if line.wentOn {
		text = "…" + text[min(len(text), s.longest):]
	}
	if line.goesOn {
		text = text[:max(0, len(text)-s.longest)] + "…"
	}
	return strings.TrimSpace(domain.ShownText(strings.ToValidUTF8(text, "")))
}

// last returns the last lines as one, "" when there were none.
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
