package stdio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
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
	// endLines is the number of lines, from the end, among which those that say why a server failed are searched for.
	endLines = 60
	// keptCount and keptBytes bound the end of stderr that is kept, for messages and for the user.
	keptCount = 200
	keptBytes = 64 << 10
	// shortestSecretPart is the length, in bytes, from which the beginning of a secret at the end of a text is hidden.
	shortestSecretPart = 4
)

// stderr reads a server's standard error to its end, logs it at a limited rate and keeps
// the last lines. It never stops reading, so a server
// that writes a lot is not blocked. Safe for concurrent use.
type stderr struct {
	log     *slog.Logger
	secrets domain.Secrets
	redact  func(string) string
	longest int // length of the longest secret, quoted, in bytes
	// rate and selector are used only by drain.
	rate     rate
	selector reasonSelector

	mu    sync.Mutex
	count int // of the lines so far
	lines []*stderrLine
	size  int // of the lines, in bytes
	// unfinished is the beginning of a line without its end, at most lastBytes of it.
	unfinished []byte
	ended      chan struct{}
}

// A stderrLine is a line as it was read, or a piece of a long one. It is redacted when it is
// shown, so that a flood of lines costs little.
type stderrLine struct {
	raw    string
	number int // counts the lines from 1
	kind   lineKind
	// continues reports whether the line continues after this piece, continued whether it
	// began before.
	continues, continued bool
}

func newStderr(secrets domain.Secrets, log *slog.Logger) *stderr {
	longest := 0
	for _, secret := range secrets {
		longest = max(longest, len(strconv.Quote(secret.Value)))
	}
	return &stderr{log: log, secrets: secrets, redact: secrets.Redactor(), longest: longest, ended: make(chan struct{})}
}

// drain reads the source until it ends.
func (s *stderr) drain(source io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(io.TeeReader(source, (*unfinishedLine)(s)), maxLine)
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

// unfinishedLine keeps the beginning of a line whose end was not written yet, since it may be a question for which the
// server waits.
type unfinishedLine stderr

// Write implements io.Writer.
func (u *unfinishedLine) Write(text []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		u.unfinished = append(u.unfinished[:0], text[end+1:]...)
	} else {
		u.unfinished = append(u.unfinished, text...)
	}
	isInSecret := func(secret domain.Secret) bool { return strings.Contains(secret.Value, "\r") }
	if !slices.ContainsFunc(u.secrets, isInSecret) { // a part of one would not be recognized
		u.unfinished = append(u.unfinished[:0], overwritten(string(u.unfinished))...)
	}
	u.unfinished = u.unfinished[:min(len(u.unfinished), lastBytes)]
	return len(text), nil
}

// questionLocked returns the unfinished last line as messages show it, "" for none. It shows nothing of a line that ends
// with the beginning of a secret.
func (s *stderr) questionLocked() string {
	text := string(s.unfinished)
	if s.hasEnded() || len(s.lines) > 0 && s.lines[len(s.lines)-1].continues {
		return ""
	}
	for _, secret := range s.secrets {
		for n := range min(len(secret.Value), len(text)) {
			if strings.HasSuffix(text, secret.Value[:n+1]) && n+1 >= shortestSecretPart {
				return ""
			}
		}
	}
	return s.shown(&stderrLine{raw: text, continues: len(text) == lastBytes})
}

func (s *stderr) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *stderr) note(line stderrLine) {
	kind := s.selector.next(line.raw)
	if strings.TrimSpace(line.raw) == "" {
		return
	}
	s.mu.Lock()
	s.count++
	line.number, line.kind = s.count, kind
	s.lines = append(s.lines, &line)
	s.grow(len(line.raw))
	s.mu.Unlock()
	if !s.log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	allowed, dropped := s.rate.allow(time.Now(), len(line.raw))
	s.logDropped(dropped)
	if allowed {
		s.log.Info("the server says", "stderr", s.shown(&line))
	}
}

// extend adds a piece to the last line. Only the end of a long line is kept.
func (s *stderr) extend(piece string, continues bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) == 0 {
		return // so far the line is blank
	}
	line := s.lines[len(s.lines)-1]
	length := len(line.raw)
	before := line.raw[max(0, length-lastBytes-s.longest):]
	*line = stderrLine{raw: before + piece, number: line.number, kind: line.kind, continues: continues, continued: true}
	s.grow(len(line.raw) - length)
}

// grow notes that the last line has grown by that many bytes, and drops the oldest lines beyond the
// bounds. The last line always stays. A line near the end that says why the server failed goes last, and only if twice
// as many bytes are kept: servers print such a line and then a long one.
func (s *stderr) grow(by int) {
	s.size += by
	for len(s.lines) > 1 && (len(s.lines) > keptCount || s.size > keptBytes) {
		oldest := slices.IndexFunc(s.lines[:len(s.lines)-1], func(line *stderrLine) bool { return !s.mayBeQuoted(line) })
		if oldest < 0 && s.size <= 2*keptBytes {
			return
		}
		oldest = max(oldest, 0)
		s.size -= len(s.lines[oldest].raw)
		s.lines = slices.Delete(s.lines, oldest, oldest+1)
	}
}

// mayBeQuoted reports whether a line says why the server failed and is near the end.
func (s *stderr) mayBeQuoted(line *stderrLine) bool {
	return line.kind != otherLine && line.number > s.count-endLines
}

func (s *stderr) logDropped(count int) {
	if count > 0 {
		s.log.Info("the server wrote more to stderr than is logged", "dropped", count)
	}
}

// shown returns the line without secrets and control characters. It drops the text
// next to a cut, where part of a secret would not be recognized.
func (s *stderr) shown(line *stderrLine) string {
	text := s.redact(line.raw)
	if line.continued {
		text = "…" + text[min(len(text), s.longest):]
	}
	if line.continues {
		text = text[:max(0, len(text)-s.longest)] + "…"
	}
	return strings.TrimSpace(domain.ShownText(strings.ToValidUTF8(overwritten(text), "\uFFFD")))
}

// overwritten returns what a terminal shows of a line in which carriage returns begin the line again, as those of spinners do: what
// follows the last one with text behind it.
func overwritten(text string) string {
	kept := strings.TrimRight(text, " \t\r\n")
	return text[strings.LastIndexByte(kept, '\r')+1:]
}

// last returns the part of stderr that a message quotes, joined into one line: the lines near the end
// that say why the server failed, or the last lines if none says so. The last line of a server that
// still runs is always included, since it may name what the server waits for. It returns "" if there
// were no lines.
func (s *stderr) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []*stderrLine
	for _, line := range s.lines {
		if s.mayBeQuoted(line) && (line.kind == reasonLine || len(lines) > 0) {
			lines = append(lines, line)
		}
	}
	lines = lastOf(lines)
	switch {
	case len(lines) == 0:
		lines = lastOf(s.lines)
	case !s.hasEnded() && lines[len(lines)-1].number != s.count:
		lines = append(lines, s.lines[len(s.lines)-1])
	}
	var shown []string
	for _, line := range lines {
		shown = append(shown, s.shown(line))
	}
	if question := s.questionLocked(); question != "" {
		shown = append(shown, question)
	}
	text := strings.Join(shown, " | ")
	if len(text) > lastBytes {
		text = "…" + strings.TrimPrefix(strings.ToValidUTF8(text[len(text)-lastBytes:], ""), "…")
	}
	return text
}

// lastOf returns the last lines of a list, as many as a message quotes.
func lastOf(lines []*stderrLine) []*stderrLine { return lines[max(0, len(lines)-lastLines):] }

// since returns the kept lines whose numbers are greater than after, as they are shown, and the number of
// the last line.
func (s *stderr) since(after int) (lines []string, last int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.lines {
		if line.number > after {
			lines = append(lines, s.shown(line))
		}
	}
	return lines, s.count
}

// rate limits how many lines and bytes of a server's stderr are logged per second.
// The first line of a second can have any length. The zero value is ready to use. Not safe
// for concurrent use.
type rate struct {
	second       time.Time // the start of the current second
	lines, bytes int       // allowed so far in the current second
	dropped      int       // lines dropped since the last count
}

const (
	maxLines = 100
	maxBytes = 64 << 10
)

// allow reports whether to log a line of that size now. At the start of a new
// second it also returns how many lines were dropped since the last count.
func (r *rate) allow(now time.Time, size int) (allowed bool, dropped int) {
	if now.Sub(r.second) >= time.Second {
		r.second, r.lines, r.bytes = now, 0, 0
		dropped = r.end()
	}
	if r.lines == maxLines || r.lines > 0 && r.bytes+size > maxBytes {
		r.dropped++
		return false, dropped
	}
	r.lines++
	r.bytes += size
	return true, dropped
}

// end returns how many lines were dropped since the last count, and starts a new count.
func (r *rate) end() int {
	dropped := r.dropped
	r.dropped = 0
	return dropped
}
