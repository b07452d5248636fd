package mcpclient

import (
	"bytes"
	"errors"
	"io"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Run reads until the source ends, or the stream failed and one more line comes,
// and returns why it did. A last line without an end is no message. Run does
// not call Fail: the owner knows the better reason.
func (s *Stream) Run() error {
	lines := jsonrpc.NewLineReader(s.source, s.limit)
	scanner := rawjson.NewScanner()
	group := &jsonrpc.FlushGroup{}
	defer group.Flush()
	for first := true; ; first = false {
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
			continue
		}
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if lines.HasNext() {
			s.Receive(scanner, line, group)
			continue
		}
		if group.Waiting() {
			s.Receive(scanner, line, group)
			group.Flush()
		} else {
			s.Receive(scanner, line, nil)
		}
	}
}
