package mcpclient

import (
	"errors"
	"io"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Run reads until the source ends, or another line arrives after the stream failed, and returns the
// reason. It ignores a last line without a line end. It does not call Fail, since the owner may know a
// better reason.
func (s *Stream) Run() error {
	lines := jsonrpc.NewLineReader(s.source, s.limit)
	scanner := rawjson.NewScanner()
	group := &jsonrpc.FlushGroup{}
	defer group.Flush()
	for {
		line, err := lines.Next()
		if failure := s.Err(); failure != nil {
			return failure
		}
		if jsonrpc.IsEnd(err) {
			if errors.Is(err, io.EOF) {
				return ErrOutputEnded
			}
			return err
		}
		if err != nil {
			s.Refuse(err)
			if !lines.HasNext() {
				group.Flush() // of the lines before it, which were read together with it
			}
			continue
		}
		switch {
		case lines.HasNext():
			s.Receive(scanner, line, group)
		case group.Waiting():
			s.Receive(scanner, line, group)
			group.Flush()
		default:
			s.Receive(scanner, line, nil)
		}
	}
}
