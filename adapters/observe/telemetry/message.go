package telemetry

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"mcp-workbench/domain/rawjson"
)

// message is a message of the protocol (https://opentelemetry.io/docs/specs/otlp/), which can be encoded in
// both forms.
type message []field

// field is a field of a message, with its number and its name in JSON.
type field struct {
	number int
	name   string
	value  any // text, id, enum, fixed64, fixed32, double, boolean, message, []message, []uint64 or []float64
}

// The types of fields.
type (
	text    string
	id      []byte // hexadecimal in JSON, unlike other bytes
	enum    uint64
	fixed64 uint64
	fixed32 uint32
	double  float64
	boolean bool
)

// The wire types of protobuf.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// protobuf appends the message in protobuf.
func (m message) protobuf(to []byte) []byte {
	for _, f := range m {
		switch value := f.value.(type) {
		case text:
			to = f.appendBytes(to, []byte(value))
		case id:
			to = f.appendBytes(to, value)
		case enum:
			to = binary.AppendUvarint(f.tag(to, wireVarint), uint64(value))
		case boolean:
			number := uint64(0)
			if value {
				number = 1
			}
			to = binary.AppendUvarint(f.tag(to, wireVarint), number)
		case fixed64:
			to = binary.LittleEndian.AppendUint64(f.tag(to, wire64), uint64(value))
		case fixed32:
			to = binary.LittleEndian.AppendUint32(f.tag(to, wire32), uint32(value))
		case double:
			to = binary.LittleEndian.AppendUint64(f.tag(to, wire64), math.Float64bits(float64(value)))
		case message:
			to = f.appendBytes(to, value.protobuf(nil))
		case []message:
			for _, element := range value {
				to = f.appendBytes(to, element.protobuf(nil))
			}
		case []uint64:
			to = binary.AppendUvarint(f.tag(to, wireBytes), uint64(8*len(value)))
			for _, number := range value {
				to = binary.LittleEndian.AppendUint64(to, number)
			}
		case []float64:
			to = binary.AppendUvarint(f.tag(to, wireBytes), uint64(8*len(value)))
			for _, number := range value {
				to = binary.LittleEndian.AppendUint64(to, math.Float64bits(number))
			}
		}
	}
	return to
}

func (f field) tag(to []byte, wire int) []byte {
	return binary.AppendUvarint(to, uint64(f.number<<3|wire))
}

func (f field) appendBytes(to, value []byte) []byte {
	return append(binary.AppendUvarint(f.tag(to, wireBytes), uint64(len(value))), value...)
}

// json appends the message in JSON, where numbers of 64 bits are strings.
func (m message) json(to []byte) []byte {
	to = append(to, '{')
	for i, f := range m {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(rawjson.AppendQuote(to, f.name), ':')
		to = appendValue(to, f.value)
	}
	return append(to, '}')
}

func appendValue(to []byte, value any) []byte {
	switch value := value.(type) {
	case text:
		return rawjson.AppendQuote(to, string(value))
	case id:
		return append(hex.AppendEncode(append(to, '"'), value), '"')
	case enum:
		return strconv.AppendUint(to, uint64(value), 10)
	case fixed32:
		return strconv.AppendUint(to, uint64(value), 10)
	case boolean:
		return strconv.AppendBool(to, bool(value))
	case fixed64:
		return appendUint64(to, uint64(value))
	case double:
		return strconv.AppendFloat(to, float64(value), 'g', -1, 64)
	case message:
		return value.json(to)
	case []message:
		return appendList(to, value, func(to []byte, element message) []byte { return element.json(to) })
	case []uint64:
		return appendList(to, value, appendUint64)
	case []float64:
		return appendList(to, value, func(to []byte, number float64) []byte { return strconv.AppendFloat(to, number, 'g', -1, 64) })
	}
	return append(to, "null"...)
}

func appendUint64(to []byte, number uint64) []byte {
	return append(strconv.AppendUint(append(to, '"'), number, 10), '"')
}

func appendList[E any](to []byte, elements []E, appendElement func([]byte, E) []byte) []byte {
	to = append(to, '[')
	for i, element := range elements {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendElement(to, element)
	}
	return append(to, ']')
}
