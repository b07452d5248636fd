package results

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
)

// look answers a question about a result, in a turn. The answer and its note are within the limit. The
// only error is that of the context; other failures are part of the view.
func (k *Keeper) look(ctx context.Context, whole kept, query domain.ResultQuery, limit domain.ResultLimit) (domain.ResultView, error) {
	view := domain.ResultView{ID: whole.id, Tool: whole.tool, Whole: excerpts.TextSize(whole.result), Query: query}
	room := limit.Bytes - noteRoom
	var found domain.Selection
	var err error
	switch {
	case query.Select != "":
		found, err = k.selector.Select(ctx, query.Select, whole.result)
	case query.Grep != "":
		found, err = k.selector.Grep(ctx, query.Grep, whole.result)
	default:
		text := excerpts.NewPayload(whole.result).Text
		rest := from(text, query.From)
		shrink(room, room, func(room int) int {
			view.Text = beginning(rest, room)
			return textSize(view.Text, limit)
		})
		view.Characters = utf8.RuneCountInString(text)
		view.Next = view.Characters - utf8.RuneCountInString(rest[len(view.Text):])
		view.Shown, view.More = len(view.Text), view.Next < view.Characters
		return view, nil
	}
	if ctx.Err() != nil {
		return domain.ResultView{}, ctx.Err()
	}
	view.Failure, view.Nothing = err, err == nil && isEmpty(found.Output)
	if err != nil || view.Nothing {
		describe(&view, whole.result, room)
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

// describe adds what the data of a result is.
func describe(view *domain.ResultView, result json.RawMessage, room int) {
	payload := excerpts.NewPayload(result)
	view.Characters = utf8.RuneCountInString(payload.Text)
	view.Lines = strings.Count(strings.TrimSuffix(payload.Text, "\n"), "\n") + 1
	if len(payload.Values) > 0 {
		view.Shape = excerpts.Shape(payload.Values, min(maxShape, room))
	}
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
