package main

import "strconv"

// text answers with one text content. The text is written unchanged, so it must
// be the inside of a JSON string.
func (s *server) text(id, text []byte) error {
	return s.reply(id, `{"content":[{"type":"text","text":"`, text, `"}]}`)
}

// reply answers with a result put together from head, body and tail.
func (s *server) reply(id []byte, head string, body []byte, tail string) error {
	return s.send(id, `,"result":`, head, body, tail)
}

// fail answers with a JSON-RPC error.
func (s *server) fail(id []byte, code int, message string) error {
	head := `{"code":` + strconv.Itoa(code) + `,"message":"`
	return s.send(id, `,"error":`, head, []byte(message), `"}`)
}

func (s *server) send(id []byte, member, head string, body []byte, tail string) error {
	b := append(s.buf[:0], `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, member...)
	b = append(b, head...)
	b = append(b, body...)
	b = append(b, tail...)
	b = append(b, "}\n"...)
	s.buf = b
	_, err := s.out.Write(b)
	return err
}
