package stdio

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"

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
// anything holds it open, logs it and remembers the end of it. Nobody can be
// blocked by it. Safe for concurrent use.
type stderr struct {
	log    *slog.Logger
	redact func(string) string

	mu    sync.Mutex
	lines []string
	ended chan struct{}
}

func newStderr(secrets domain.Secrets, log *slog.Logger) *stderr {
	return &stderr{log: log, redact: secrets.Redactor(), ended: make(chan struct{})}
}

// drain reads until the source ends.
func (s *stderr) drain(source io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(source, longestLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			s.note(string(line))
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (s *stderr) note(line string) {
	line = strings.TrimSpace(domain.ShownText(s.redact(line)))
	if line == "" {
		return
	}
	s.log.Info("the server says", "stderr", line)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	if len(s.lines) > lastLines {
		s.lines = s.lines[1:]
	}
}

// last returns the last lines as one, "" when there were none.
func (s *stderr) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.Join(s.lines, " | ")
	if len(text) > lastBytes {
		text = "…" + strings.ToValidUTF8(text[len(text)-lastBytes:], "")
	}
	return text
}
