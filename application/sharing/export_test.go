package sharing

import (
	"context"

	"mcp-workbench/ports"
)

// BeginLate makes a call of a session's host that wants a log level, and that ends before the level is noted.
func BeginLate(s ports.Session, level string) {
	m := s.(*member)
	r, _ := m.begin(context.Background(), func(ports.Answer, error) {})
	r.finish(ports.Answer{}, context.Canceled)
	m.session.levels.begin(r, level)
}
