package stdio

const (
	// keptCount and keptBytes bound the end of stderr that is kept for the user.
	keptCount = 200
	keptBytes = 64 << 10
)

// logTail is the end of stderr, for the user. The zero value is empty. Not safe for concurrent use.
type logTail struct {
	lines []*stderrLine
	size  int
}

// add keeps one more line.
func (t *logTail) add(line *stderrLine) {
	t.lines = append(t.lines, line)
	t.grow(len(line.raw))
}

// grow notes that the last line has grown by that many bytes, and drops the oldest lines beyond the
// bounds. The last line always stays.
func (t *logTail) grow(by int) {
	t.size += by
	for len(t.lines) > 1 && (len(t.lines) > keptCount || t.size > keptBytes) {
		t.size -= len(t.lines[0].raw)
		t.lines[0] = nil
		t.lines = t.lines[1:]
	}
}

// since returns the kept lines whose numbers are greater than after, as they are shown, and the number of
// the last line.
func (s *stderr) since(after int) (lines []string, last int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.kept.lines {
		if line.number > after {
			lines = append(lines, s.shown(line))
		}
	}
	return lines, s.count
}
