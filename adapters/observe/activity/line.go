package activity

import (
	"strconv"
	"time"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

const (
	// maxName is the maximum length of a name in a line, in bytes before it is escaped.
	maxName = 256
	// maxLine exceeds the length of every line. Longer lines in a file are skipped.
	maxLine = 16 << 10
)

// stamp formats times. It keeps the part of a time up to the second, which many lines share.
type stamp struct {
	second int64
	text   []byte
}

// append appends a time in quotes, in UTC with milliseconds.
func (s *stamp) append(to []byte, t time.Time) []byte {
	if second := t.Unix(); second != s.second || s.text == nil {
		s.second, s.text = second, t.UTC().AppendFormat(s.text[:0], "2006-01-02T15:04:05.")
	}
	to = append(append(to, '"'), s.text...)
	millisecond := t.Nanosecond() / int(time.Millisecond)
	return append(to, byte('0'+millisecond/100), byte('0'+millisecond/10%10), byte('0'+millisecond%10), 'Z', '"')
}

// appendLine appends the line of an activity, or that of a number of calls and their sum. The argument known
// has the members that all activities of a host have.
func (s *stamp) appendLine(to, known []byte, places *places, a *domain.Activity, calls int64) []byte {
	to = s.append(append(to, `{"time":`...), a.Time)
	to = append(to, known...)
	to = places.append(to, a)
	if a.Unknown {
		to = append(to, `,"unknown":true`...)
	}
	to = appendName(to, `,"outcome":`, string(a.Outcome))
	to = appendNumber(to, `,"code":`, a.Code)
	if calls > 1 {
		to = strconv.AppendInt(append(to, `,"calls":`...), calls, 10)
	}
	to = appendMilliseconds(append(to, `,"ms":`...), a.Took)
	to = appendNumber(to, `,"bytesIn":`, a.Sent)
	to = appendNumber(to, `,"bytesOut":`, a.Received)
	to = appendNumber(to, `,"tokens":`, definitions.EstimateTokens(a.Shown))
	return append(to, '}', '\n')
}

// appendMilliseconds appends a duration in milliseconds, with one decimal.
func appendMilliseconds(to []byte, took time.Duration) []byte {
	tenths := max(int64(took/(time.Millisecond/10)), 0)
	to = strconv.AppendInt(to, tenths/10, 10)
	if tenths%10 != 0 {
		to = append(to, '.', byte('0'+tenths%10))
	}
	return to
}

// appendNumber appends a member, unless its number is 0.
func appendNumber(to []byte, member string, number int) []byte {
	if number == 0 {
		return to
	}
	return strconv.AppendInt(append(to, member...), int64(number), 10)
}

// appendName appends a member, unless its text is empty. Texts longer than maxName are cut.
func appendName(to []byte, member, text string) []byte {
	if text == "" {
		return to
	}
	if len(text) > maxName {
		text = cut(text)
	}
	to = append(to, member...)
	if !isPlain(text) {
		return rawjson.AppendQuote(to, text)
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"')
}

// cut returns a copy of the beginning of a text, with an ellipsis.
func cut(text string) string {
	const ellipsis = "…"
	end := maxName - len(ellipsis)
	for end > maxName-2*utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// isPlain reports whether a text is its own JSON string without quotes.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
