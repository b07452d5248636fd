package excerpts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain/rawjson"
)

const (
	// leastText is the number of bytes that are shown of a text block, at least, unless it is shorter. Blocks
	// without room for that are only counted.
	leastText = 200
	// goodText replaces leastText if the limit has room for so many blocks of that size.
	goodText, several = 2000, 4
)

// Cut is a result that was cut.
type Cut struct {
	// Result has the members of the whole result, but with shorter texts in its content, and without
	// a structuredContent that did not fit.
	Result json.RawMessage
	// Shown and Whole are the bytes of text of this result and of the whole one. They are the same if only white space
	// in its JSON is left out.
	Shown, Whole int
}

// Fit cuts the result of a tool to at most limit bytes of text. It reports false for a result that
// fits, or that is not an object with contents. The texts are those of text blocks and embedded
// resources, and structuredContent, which does not count if a text block has the same JSON. Texts
// share the limit; everything else in the result stays. A limit below 200 counts as 200.
func Fit(result json.RawMessage, limit int) (Cut, bool) {
	limit = max(limit, leastText)
	if len(result) <= limit {
		return Cut{}, false
	}
	contents, ok := read(result)
	if !ok {
		return Cut{}, false
	}
	whole := contents.size()
	if whole <= limit {
		return Cut{}, false
	}
	cut := contents.fit(result, limit)
	if cut.Whole == 0 {
		cut.Whole = whole
	}
	return cut, true
}

// WithNote returns a result with a note at the end of its first text, or as a text of its own if it has none. Some hosts
// pass on only the first block.
func WithNote(result json.RawMessage, note string) json.RawMessage {
	done := false
	content := rawjson.EditElements(rawjson.Member(result, "content"), func(block []byte) []byte {
		text := rawjson.Member(block, "text")
		if done || rawjson.Kind(text) != '"' || rawjson.Text(rawjson.Member(block, "type")) != "text" {
			return block
		}
		done = true
		return rawjson.With(block, "text", rawjson.Quote(rawjson.Text(text)+"\n"+note))
	})
	if done {
		return rawjson.With(result, "content", content)
	}
	block := textBlock(note)
	content = bytes.TrimRight(rawjson.Member(result, "content"), " \t\r\n")
	if inside, isArray := bytes.CutSuffix(content, []byte("]")); isArray && rawjson.Kind(content) == '[' {
		if countElements(content) > 0 {
			inside = append(bytes.Clone(inside), ',')
		}
		block = append(bytes.Clone(inside), block...)
	} else {
		block = append([]byte("["), block...)
	}
	return rawjson.With(result, "content", append(block, ']'))
}

func textBlock(text string) []byte {
	return rawjson.Object{}.Text("type", "text").Text("text", text).JSON()
}

// contents are the parts of a result that have text.
type contents struct {
	blocks     []block
	structured json.RawMessage // nil if there is none, or if a text block has the same JSON
	repeated   json.RawMessage // the structuredContent if a text block has the same JSON
}

// block is a block of a result's content.
type block struct {
	raw        []byte
	text       string
	isText     bool
	isResource bool // its text is that of an embedded resource
}

// read reads a result. It reports false if the result is not an object with contents.
func read(result json.RawMessage) (contents, bool) {
	var c contents
	content := rawjson.Member(result, "content")
	eachElement(content, func(element []byte) { c.blocks = append(c.blocks, readBlock(element)) })
	if structured := rawjson.Member(result, "structuredContent"); !rawjson.IsNull(structured) {
		if c.hasText(structured) {
			c.repeated = structured
		} else {
			c.structured = structured
		}
	}
	return c, rawjson.Kind(result) == '{' && (rawjson.Kind(content) == '[' || c.structured != nil)
}

func readBlock(element []byte) block {
	b := block{raw: element}
	if rawjson.Kind(element) != '{' {
		return b
	}
	text := rawjson.Member(element, "text")
	switch rawjson.Text(rawjson.Member(element, "type")) {
	case "text":
	case "resource":
		b.isResource = true
		text = rawjson.Member(rawjson.Member(element, "resource"), "text")
	default:
		return b
	}
	b.isText = rawjson.Kind(text) == '"'
	b.text = rawjson.Text(text)
	return b
}

// hasText reports whether a text block has the same JSON as a value, or as the value of its only
// member: libraries wrap a value that is not an object in one, with a member such as "result".
func (c contents) hasText(value json.RawMessage) bool {
	whole, inner := meaning{value: value}, meaning{}
	if countMembers(value) == 1 {
		eachMember(value, func(_, only []byte) { inner.value = only })
	}
	return slices.ContainsFunc(c.blocks, func(b block) bool { return b.isText && (whole.has(b.text) || inner.has(b.text)) })
}

// fit returns the result with at most limit bytes of text. Whole is 0 if more than white space is left out.
func (c contents) fit(result json.RawMessage, limit int) Cut {
	left := limit - len("… 1,234,567,890 more texts")
	sizes, texts := c.shownTexts(left)
	shares := newShares(sizes, left)

	content := []byte("[")
	add := func(raw []byte) {
		if len(content) > 1 {
			content = append(content, ',')
		}
		content = append(content, raw...)
	}
	shown, more, isWhole := 0, 0, true
	for _, b := range c.blocks {
		switch {
		case !b.isText:
			add(b.raw)
		case texts == 0:
			more++
		default:
			texts--
			text, whole := fitText(b.text, max(shares.of(len(b.text)), leastLimit))
			isWhole = isWhole && whole
			shares.take(len(text))
			shown += len(text)
			add(b.with(text))
		}
	}
	share := max(shares.of(len(c.structured)), leastLimit)
	keepStructured := c.structured != nil && len(c.structured) <= share
	switch {
	case keepStructured:
		shown += len(c.structured)
	case c.structured != nil:
		text, whole := fitText(string(c.structured), share)
		isWhole = isWhole && whole
		shown += len(text)
		add(textBlock(text))
	}
	if more > 0 {
		text := "… " + counted(more, "more text")
		shown += len(text)
		add(textBlock(text))
	}
	cut := Cut{Result: rebuild(result, append(content, ']'), keepStructured), Shown: shown}
	if isWhole && more == 0 {
		cut.Whole = shown
	}
	return cut
}

// shownTexts returns the sizes of the texts for which a limit has room, and how many of them are of text blocks:
// the first ones. The others are only counted.
func (c contents) shownTexts(limit int) (sizes []int, texts int) {
	least, room := max(leastText, min(goodText, limit/several)), limit
	add := func(size int) bool {
		needed := max(min(size, least), len(blockJSON))
		if len(sizes) > 0 && needed > room {
			return false
		}
		sizes, room = append(sizes, size), room-needed
		return true
	}
	if c.structured != nil {
		add(len(c.structured))
	}
	for _, b := range c.blocks {
		if b.isText {
			if !add(len(b.text)) {
				break
			}
			texts++
		}
	}
	return sizes, texts
}

// rebuild returns a result with another content, even if the result has several.
func rebuild(result json.RawMessage, content []byte, keepStructured bool) json.RawMessage {
	object := rawjson.NewObject(make([]byte, 0, len(content)+1024)).Raw("content", content)
	structured := rawjson.Member(result, "structuredContent")
	eachMember(result, func(name, value []byte) {
		switch string(name) {
		case "content", "structuredContent":
		default:
			object = object.Raw(string(name), value)
		}
	})
	if keepStructured {
		object = object.Raw("structuredContent", structured)
	}
	return object.JSON()
}

// with returns the block with another text, even if the block has several.
func (b block) with(text string) []byte {
	switch {
	case text == b.text:
		return b.raw
	case b.isResource:
		resource := withMember(rawjson.Member(b.raw, "resource"), "text", rawjson.Quote(text))
		return withMember(b.raw, "resource", resource)
	}
	return withMember(b.raw, "text", rawjson.Quote(text))
}

// withMember returns an object with another value for a member, which then occurs once, even if the object has
// several of that name.
func withMember(object []byte, member string, value []byte) []byte {
	result, done := rawjson.Object{}, false
	eachMember(object, func(name, was []byte) {
		switch {
		case string(name) != member:
			result = result.Raw(string(name), was)
		case !done:
			result, done = result.Raw(member, value), true
		}
	})
	return result.JSON()
}

// fitText cuts a text to limit bytes: a JSON object or array between its members and elements. It reports whether at
// most white space of JSON is left out.
func fitText(text string, limit int) (fitted string, whole bool) {
	if len(text) <= limit {
		return text, true
	}
	value := jsonText(text)
	if value == nil {
		return Text(text, limit), false
	}
	if compact, fits := appendCompact(nil, value, limit); fits {
		return string(compact), true
	}
	return string(Value(value, limit)), false
}

// byteOrderMark precedes texts that some programs on Windows write.
const byteOrderMark = "\ufeff"

// jsonText returns a text as JSON if it is an object or array, nil otherwise.
func jsonText(text string) json.RawMessage {
	value := []byte(strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)))
	var err error
	switch rawjson.Kind(value) {
	case '{':
		err = rawjson.NewScanner().EachMember(value, func(_, _ []byte) error { return nil })
	case '[':
		err = rawjson.NewScanner().EachElement(value, func([]byte) error { return nil })
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return value
}

// jsonLines returns the lines of a text if each is a JSON object or array, or blank, as of JSON Lines. It returns nil
// otherwise.
func jsonLines(text string) []json.RawMessage {
	var values []json.RawMessage
	for line := range strings.Lines(text) {
		value := jsonText(line)
		switch {
		case value != nil:
			values = append(values, value)
		case strings.TrimSpace(line) != "":
			return nil
		}
	}
	return values
}

// jsonWithin returns the JSON in the fences of Markdown in a text, otherwise that which begins with a line and ends with
// the text.
func jsonWithin(text string) []json.RawMessage {
	const fence = "\n```"
	var values []json.RawMessage
	for rest := "\n" + text; ; {
		_, open, _ := strings.Cut(rest, fence)
		_, inside, _ := strings.Cut(open, "\n") // below the name of the language
		content, after, closed := strings.Cut("\n"+inside, fence)
		if !closed {
			break
		}
		if value := jsonText(content); value != nil {
			values = append(values, value)
		}
		_, rest, _ = strings.Cut(after, "\n")
		rest = "\n" + rest
	}
	at := strings.Index(text, "\n{")
	if array := strings.Index(text, "\n["); at < 0 || array >= 0 && array < at {
		at = array
	}
	if at >= 0 && values == nil {
		if value := jsonText(text[at:]); value != nil {
			return []json.RawMessage{value}
		}
	}
	return values
}
