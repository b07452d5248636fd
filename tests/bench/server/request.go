package main

import "mcp-workbench/tests/bench/wire"

// request holds the parts of a message that matter here, as they were written.
// Strings are without their quotes. A part that is absent is nil.
type request struct {
	id, method []byte
	version    []byte // params.protocolVersion
	tool       []byte // params.name
	token      []byte // params._meta.progressToken
	// params.arguments
	text, size, ms, times []byte
}

// parse finds the parts in one pass, wherever they stand.
func parse(line []byte) (r request, ok bool) {
	end := wire.Object(line, 0, func(key []byte, at int) int {
		switch string(key) {
		case "id":
			return take(&r.id, line, at)
		case "method":
			return takeString(&r.method, line, at)
		case "params":
			return r.params(line, at)
		}
		return wire.Value(line, at)
	})
	if string(r.id) == "null" {
		r.id = nil
	}
	return r, end > 0
}

func (r *request) params(line []byte, at int) int {
	if at >= len(line) || line[at] != '{' {
		return wire.Value(line, at)
	}
	return wire.Object(line, at, func(key []byte, at int) int {
		switch string(key) {
		case "protocolVersion":
			return takeString(&r.version, line, at)
		case "name":
			return takeString(&r.tool, line, at)
		case "arguments":
			return r.arguments(line, at)
		case "_meta":
			return r.meta(line, at)
		}
		return wire.Value(line, at)
	})
}

func (r *request) arguments(line []byte, at int) int {
	if at >= len(line) || line[at] != '{' {
		return wire.Value(line, at)
	}
	return wire.Object(line, at, func(key []byte, at int) int {
		switch string(key) {
		case "text":
			return takeString(&r.text, line, at)
		case "size":
			return take(&r.size, line, at)
		case "ms":
			return take(&r.ms, line, at)
		case "times":
			return take(&r.times, line, at)
		}
		return wire.Value(line, at)
	})
}

func (r *request) meta(line []byte, at int) int {
	if at >= len(line) || line[at] != '{' {
		return wire.Value(line, at)
	}
	return wire.Object(line, at, func(key []byte, at int) int {
		if string(key) == "progressToken" {
			return take(&r.token, line, at)
		}
		return wire.Value(line, at)
	})
}

// take keeps the value at line[at:] and returns where it ends.
func take(part *[]byte, line []byte, at int) int {
	end := wire.Value(line, at)
	if end > 0 {
		*part = line[at:end]
	}
	return end
}

// takeString keeps a string without its quotes, and no other kind of value.
func takeString(part *[]byte, line []byte, at int) int {
	end := wire.Value(line, at)
	if end > 0 && line[at] == '"' {
		*part = line[at+1 : end-1]
	}
	return end
}
