package textedit

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
)

// MaskJSON returns the text with every value below a member of one of the names, at any
// depth, replaced by mask, a JSON value; objects and lists keep their form. It is for
// showing texts that may hold secrets. A text that cannot be parsed is nil.
func MaskJSON(text []byte, names []string, mask string) []byte {
	body, _ := bytes.CutPrefix(text, []byte(byteOrderMark))
	if checkEncoding(body) != nil {
		return nil
	}
	document, err := parseJSON(body)
	if err != nil {
		return nil
	}
	var values []part
	collect(document.root, names, false, &values)
	return masked(document.text, values, mask)
}

// collect gathers where the literals to mask are, in order.
func collect(value hujson.Value, names []string, below bool, found *[]part) {
	switch v := value.Value.(type) {
	case *hujson.Object:
		for _, member := range v.Members {
			name, ok := member.Name.Value.(hujson.Literal)
			collect(member.Value, names, below || ok && slices.Contains(names, name.String()), found)
		}
	case *hujson.Array:
		for _, element := range v.Elements {
			collect(element, names, below, found)
		}
	default:
		if below {
			*found = append(*found, part{start: value.StartOffset, end: value.EndOffset})
		}
	}
}

// MaskTOML is MaskJSON for TOML: keys of tables of the names, and values of the names.
func MaskTOML(text []byte, names []string, mask string) []byte {
	body, _ := bytes.CutPrefix(text, []byte(byteOrderMark))
	if _, err := parseTOML(body); err != nil {
		return nil
	}
	parser := unstable.Parser{}
	parser.Reset(body)
	var table []string
	var values []part
	for parser.NextExpression() {
		node := parser.Expression()
		key, _ := tomlKey(node)
		if node.Kind != unstable.KeyValue {
			table = key
			continue
		}
		if !slices.ContainsFunc(slices.Concat(table, key), func(name string) bool { return slices.Contains(names, name) }) {
			continue
		}
		start, end := lastKeyEnd(node), int(node.Raw.Offset+node.Raw.Length)
		start += bytes.IndexByte(body[start:end], '=') + 1
		values = append(values, part{start: start, end: end})
	}
	return masked(body, values, " "+mask)
}

// lastKeyEnd returns where the key of an expression ends.
func lastKeyEnd(node *unstable.Node) int {
	end := 0
	for key := node.Key(); key.Next(); {
		end = int(key.Node().Raw.Offset + key.Node().Raw.Length)
	}
	return end
}

func masked(text []byte, values []part, mask string) []byte {
	for _, value := range slices.Backward(values) {
		text = splice(text, value.start, value.end, mask)
	}
	return text
}
