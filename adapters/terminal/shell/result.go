package shell

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"mcp-workbench/domain/rawjson"
)

// Result is the result of a tool.
type Result struct {
	Content           []content
	StructuredContent json.RawMessage
	// IsError is set when the tool ran and failed.
	IsError bool

	odd string // says what a server sent in place of a result, "" if it is one
}

// content is a part of a result (MCP 2025-11-25, tools).
type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     string `json:"blob"`
	} `json:"resource"`
}

// ReadResult reads a raw result. What some servers send in place of one is read as a person would read it: a value that is
// no object, and content that is a text, a single part, or called toolResult as before 2024-11-05.
func ReadResult(raw json.RawMessage) Result {
	if rawjson.Kind(raw) != '{' {
		return Result{Content: []content{valuePart(raw)}, odd: "the server's result is " + kindOf(raw) + " instead of an object"}
	}
	result := Result{}
	if structured := rawjson.Member(raw, "structuredContent"); !rawjson.IsNull(structured) {
		result.StructuredContent = structured
	}
	result.IsError, _ = strconv.ParseBool(strings.Trim(string(rawjson.Member(raw, "isError")), `"`))
	parts := rawjson.Member(raw, "content")
	switch kind := rawjson.Kind(parts); {
	case kind == '[':
		result.Content = readParts(parts)
		return result
	case kind == 0, rawjson.IsNull(parts):
		older := rawjson.Member(raw, "toolResult")
		switch {
		case !rawjson.IsNull(older) && older != nil:
			result.odd = `the server's result has "toolResult", which the protocol had before 2024-11-05, in place of "content"`
			result.Content = []content{valuePart(older)}
			if rawjson.Kind(older) == '[' {
				result.Content = readParts(older)
			}
		case result.StructuredContent == nil:
			result.odd = `the server's result has no "content"; --json prints it`
		}
		return result
	case kind == '{' && rawjson.Text(rawjson.Member(parts, "type")) != "":
		result.Content = []content{readPart(parts)}
	default:
		result.Content = []content{valuePart(parts)}
	}
	result.odd = `"content" of the server's result is ` + kindOf(parts) + " instead of a list"
	return result
}

func readParts(list json.RawMessage) (parts []content) {
	_ = rawjson.NewScanner().EachElement(list, func(part []byte) error { // which was read before
		parts = append(parts, readPart(part))
		return nil
	})
	return parts
}

// readPart reads a part of a result, or a value in its place.
func readPart(raw json.RawMessage) content {
	var part content
	if rawjson.Kind(raw) != '{' || json.Unmarshal(raw, &part) != nil {
		if text := rawjson.Member(raw, "text"); rawjson.Kind(raw) == '{' && text != nil {
			return valuePart(text)
		}
		return valuePart(raw)
	}
	return part
}

// valuePart returns a value as a part: a text as it is, anything else as JSON.
func valuePart(value json.RawMessage) content {
	if rawjson.Kind(value) == '"' {
		return content{Type: "text", Text: rawjson.Text(value)}
	}
	return content{Type: "text", Text: string(value)}
}

// kindOf names the kind of a value for people.
func kindOf(value json.RawMessage) string {
	switch rawjson.Kind(value) {
	case '"':
		return "a text"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// Printer prints results.
type Printer struct {
	// Out is for texts.
	Out io.Writer
	// Directory is for images, audio and other files; "" saves none.
	Directory string
	// Tool is the beginning of the names of files.
	Tool string
	// Note is called with a line about what is not printed.
	Note func(line string)
	// Max is the number of bytes of text that are printed, 0 for any. Wholes keeps what is longer.
	Max    int
	Wholes Wholes
}

// Print prints texts, saves files if there is a directory for them, and prints the
// structured content when there is nothing else.
func (p Printer) Print(result Result) error {
	if result.odd != "" {
		p.Note(result.odd)
	}
	for _, part := range result.Content {
		if err := p.part(part); err != nil {
			return err
		}
	}
	if len(result.Content) == 0 && result.StructuredContent != nil {
		return p.text(string(result.StructuredContent))
	}
	return nil
}

func (p Printer) part(part content) error {
	switch part.Type {
	case "text":
		return p.text(part.Text)
	case "image", "audio":
		return p.file(part.MIMEType, part.Data)
	case "resource_link":
		return p.text(strings.TrimSpace(part.Name + " " + part.URI))
	case "resource":
		if part.Resource.Blob != "" {
			return p.file(part.Resource.MIMEType, part.Resource.Blob)
		}
		return p.text(part.Resource.Text)
	}
	p.Note(fmt.Sprintf("content of the kind %q is not shown; --json prints it", part.Type))
	return nil
}

func (p Printer) text(text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if _, err := io.WriteString(p.Out, text); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}

// file saves base64 data in a new file.
func (p Printer) file(mimeType, data string) error {
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return fmt.Errorf("read the %s in the result: %w", mimeType, err)
	}
	if p.Directory == "" {
		p.Note(fmt.Sprintf("%s of %d bytes is not shown; --output DIR saves it", cmp.Or(mimeType, "data"), len(decoded)))
		return nil
	}
	path, err := p.save(extensionOf(mimeType), decoded)
	if err != nil {
		return fmt.Errorf("save the %s in the result: %w", mimeType, err)
	}
	return p.text(path)
}

// save writes a new file with the next free number, and returns its path.
func (p Printer) save(extension string, data []byte) (string, error) {
	if err := os.MkdirAll(p.Directory, 0o750); err != nil {
		return "", fmt.Errorf("make the directory: %w", err)
	}
	for number := 1; ; number++ {
		path := filepath.Join(p.Directory, fmt.Sprintf("%s-%d%s", fileName(p.Tool), number, extension))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("create the file: %w", err)
		}
		_, err = file.Write(data)
		return path, errors.Join(err, file.Close())
	}
}

// fileName returns the name of a tool for a file: letters, digits, "-" and "_".
func fileName(tool string) string {
	const maxName = 64
	name := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, tool))
	return string(name[:min(len(name), maxName)])
}

// extensionOf returns the extension for a MIME type. It does not use the tables of the system, which differ
// between machines.
func extensionOf(mimeType string) string {
	essence, _, _ := strings.Cut(strings.ToLower(mimeType), ";")
	switch essence = strings.TrimSpace(essence); essence {
	case "image/png", "image/gif", "image/webp", "image/bmp", "image/tiff", "image/avif":
		return "." + strings.TrimPrefix(essence, "image/")
	case "image/jpeg":
		return ".jpg"
	case "image/svg+xml":
		return ".svg"
	case "audio/wav", "audio/x-wav":
		return ".wav"
	case "audio/mpeg", "audio/mp3":
		return ".mp3"
	case "audio/mp4":
		return ".m4a"
	case "audio/ogg", "audio/flac", "audio/aac", "audio/webm":
		return "." + strings.TrimPrefix(essence, "audio/")
	case "application/pdf", "application/json", "application/zip":
		return "." + strings.TrimPrefix(essence, "application/")
	case "text/html", "text/csv":
		return "." + strings.TrimPrefix(essence, "text/")
	case "text/plain":
		return ".txt"
	}
	return ".bin"
}
