package results

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
)

// look answers a question about a result. The answer and its note are within the limit. The
// only error is that of the context; other failures are part of the view.
func (k *Keeper) look(ctx context.Context, whole kept, query domain.ResultQuery, limit domain.ResultLimit) (domain.ResultView, error) {
	payload := excerpts.NewPayload(whole.result)
	view := domain.ResultView{
		ID: whole.id, Tool: whole.tool, Whole: excerpts.TextSize(whole.result), Query: query,
		Characters: utf8.RuneCountInString(payload.Text),
	}
	room := limit.Bytes - noteRoom
	var found domain.Selection
	var err error
	switch {
	case query.Select != "" && len(payload.Values) == 0:
		err = &domain.SelectionError{Kind: domain.SelectionRuntime, Message: domain.NoJSON}
	case query.Select != "":
		found, err = k.selector.Select(ctx, query.Select, payload.Values)
	case query.Grep != "":
		found, err = k.selector.Grep(ctx, query.Grep, inLines(ctx, payload))
	default:
		rest := from(payload.Text, query.From)
		shrink(room, room, func(room int) int {
			view.Text = beginning(rest, room)
			return textSize(view.Text, limit)
		})
		view.Next = view.Characters - utf8.RuneCountInString(rest[len(view.Text):])
		view.Shown, view.More = len(view.Text), view.Next < view.Characters
		return view, nil
	}
	if ctx.Err() != nil {
		return domain.ResultView{}, ctx.Err()
	}
	view.Failure, view.Nothing = err, err == nil && isEmpty(found.Output)
	if err != nil || view.Nothing {
		view.Lines = strings.Count(strings.TrimSuffix(payload.Text, "\n"), "\n") + 1
		if len(payload.Values) > 0 {
			view.Shape = excerpts.Shape(payload.Values, min(maxShape, room))
		}
	}
	output := strings.TrimSuffix(found.Output, "\n")
	view.Text = output
	shrink(room, room, func(room int) int {
		if len(output) > room {
			view.Text = shortened(output, room)
		}
		return textSize(view.Text, limit)
	})
	view.Shown, view.More = len(view.Text), view.Text != output || found.More
	return view, nil
}

// shortened returns output in at most room bytes: its first lines, or a part of a first line that
// is too long, which stays valid JSON if it was.
func shortened(output string, room int) string {
	line, _, _ := strings.Cut(output, "\n")
	if len(line) > room && json.Valid([]byte(line)) {
		return string(excerpts.Value([]byte(line), room))
	}
	return excerpts.Text(output, room)
}

// isEmpty reports whether the output of a selection has no data.
func isEmpty(output string) bool {
	for line := range strings.Lines(output) {
		switch strings.TrimSpace(line) {
		case "", "null", "[]", "{}", `""`:
		default:
			return false
		}
	}
	return true
}

// longLine is the length in bytes above which a line is too long to be a useful match.
const longLine = 2000

// inLines returns the text for a search by lines. JSON with long lines is broken into lines, one
// for each value. It is not indented, since deep nesting would make an indented text larger than
// any bound. It stops early when the context ends.
func inLines(ctx context.Context, payload excerpts.Payload) string {
	if len(payload.Values) == 0 {
		return payload.Text
	}
	for line := range strings.Lines(payload.Text) {
		if len(line) <= longLine {
			continue
		}
		var lines []byte
		for _, value := range payload.Values {
			if ctx.Err() != nil {
				break
			}
			lines = append(appendLines(lines, value), '\n')
		}
		return string(lines)
	}
	return payload.Text
}

// appendLines appends valid JSON as json.Indent without indentation writes it, in a single pass:
// json.Indent takes time of the size times the depth.
func appendLines(to []byte, value json.RawMessage) []byte {
	inString, isFresh := false, false // isFresh is set at the beginning of an object or a list
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case inString:
			to = append(to, c)
			if c == '\\' && i+1 < len(value) {
				i++
				to = append(to, value[i])
			}
			inString = c != '"'
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == '}' || c == ']':
			if !isFresh {
				to = append(to, '\n')
			}
		case isFresh:
			to = append(to, '\n')
		}
		to = append(to, c)
		isFresh = c == '{' || c == '['
		switch c {
		case '"':
			inString = true
		case ',':
			to = append(to, '\n')
		case ':':
			to = append(to, ' ')
		}
	}
	return to
}

// from returns the text that begins at a character, counted from 0.
func from(text string, character int) string {
	begin := 0
	for ; character > 0 && begin < len(text); character-- {
		_, size := utf8.DecodeRuneInString(text[begin:])
		begin += size
	}
	return text[begin:]
}

// beginning returns the beginning of a text in at most room bytes. It ends at the end of a line if that
// costs less than half of it.
func beginning(text string, room int) string {
	if len(text) <= room {
		return text
	}
	end := max(room, 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if line := strings.LastIndexByte(text[:end], '\n') + 1; line > end/2 {
		end = line
	}
	return text[:end]
}
