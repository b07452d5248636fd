package textedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxYAML is the maximum size of a YAML text in bytes.
	maxYAML = 256 << 10
	// maxYAMLDepth is how deep brackets, braces and dashes on a line may nest. The time of the parser grows
	// with the square of the depth.
	maxYAMLDepth = 1000
	// maxYAMLValue bounds the nodes of a value, plus the bytes of its texts, once its aliases are resolved.
	maxYAMLValue = 1 << 20
)

type yamlKind int

const (
	yamlScalar yamlKind = iota
	yamlMapping
	yamlList
)

// yamlNode is a value in a YAML text. An alias has the nodes of its anchor.
type yamlNode struct {
	kind yamlKind
	// nodes are the elements of a list, or the keys and values of a mapping in turn.
	nodes []*yamlNode
	// text is the text of a scalar, and scalar its value.
	text   string
	scalar any
	// start is the offset of the node, with its anchor and its tag, and end is the offset after a scalar.
	start, end int
	// isInline is true for what is in braces or brackets, has an anchor or is an alias.
	isInline, isAlias bool
}

// errParser means that the parser panics, or does not say where something is.
var errParser = fmt.Errorf("%w: the YAML parser fails on it", ErrSyntax)

// readNodes parses the documents of a text. An error that is not ErrSyntax may show the text.
func readNodes(text []byte) (roots []*yamlNode, err error) {
	defer func() {
		if recover() != nil {
			roots, err = nil, errParser
		}
	}()
	if len(text) > maxYAML {
		return nil, fmt.Errorf("%w: it has %d bytes, and at most %d are read", ErrSyntax, len(text), maxYAML)
	}
	if isTooDeep(text) {
		return nil, fmt.Errorf("%w: it nests deeper than %d levels", ErrSyntax, maxYAMLDepth)
	}
	// The parser miscounts lines that end with CR LF.
	tokens := lexer.Tokenize(strings.ReplaceAll(string(text), "\r\n", "\n"))
	reader := nodeReader{spans: spans(text, tokens)}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, err
	}
	if reader.spans == nil {
		return nil, errParser
	}
	for _, document := range file.Docs {
		reader.anchors = map[string]*yamlNode{}
		if _, isDirective := document.Body.(*ast.DirectiveNode); document.Body != nil && !isDirective {
			roots = append(roots, reader.node(document.Body))
		}
	}
	return roots, nil
}

// spans returns where tokens are in a text, from the first to the last of their characters that is no space.
// It returns nil if the text differs from the tokens in more than spaces, which the lexer omits at ends of lines.
func spans(text []byte, tokens token.Tokens) map[*token.Token]part {
	isSpace := func(r rune) bool { return strings.ContainsRune(yamlSpaces, r) }
	spans := make(map[*token.Token]part, len(tokens))
	offset := 0
	for _, t := range tokens {
		written := strings.FieldsFunc(t.Origin, isSpace)
		if t.Type == token.DoubleQuoteType {
			written = []string{`"`} // the lexer omits the digits of escapes
		}
		var span part
		for i, word := range written {
			offset = len(text) - len(bytes.TrimLeft(text[offset:], yamlSpaces))
			if !bytes.HasPrefix(text[offset:], []byte(word)) {
				return nil
			}
			if i == 0 {
				span.start = offset
			}
			offset += len(word)
		}
		if t.Type == token.DoubleQuoteType {
			quoted := doubleQuoted.Find(text[span.start:])
			if quoted == nil {
				return nil
			}
			offset = span.start + len(quoted)
		}
		if len(written) > 0 {
			span.end = offset
		}
		spans[t] = span
	}
	if len(bytes.Trim(text[offset:], yamlSpaces)) > 0 {
		return nil
	}
	return spans
}

const yamlSpaces = " \t\r\n"

var doubleQuoted = regexp.MustCompile(`(?s)^"(?:[^"\\]|\\.)*"`)

// isTooDeep reports whether a text may nest deeper than maxYAMLDepth, other than by its indentation.
func isTooDeep(text []byte) bool {
	brackets, dashes := 0, 0
	for _, c := range text {
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(brackets-1, 0)
		case '-':
			dashes++
		case '\n':
			dashes = 0
		}
		if brackets > maxYAMLDepth || dashes > maxYAMLDepth {
			return true
		}
	}
	return false
}

type nodeReader struct {
	spans   map[*token.Token]part
	anchors map[string]*yamlNode
}

// node converts a node of the parser.
func (r nodeReader) node(from ast.Node) *yamlNode {
	node := &yamlNode{}
	if from == nil {
		return node
	}
	span := r.spans[from.GetToken()]
	switch from := from.(type) {
	case *ast.MappingNode:
		node.isInline = from.IsFlowStyle && len(from.Values) > 0
		span.start = r.members(node, span.start, from.Values...)
	case *ast.MappingValueNode:
		span.start = r.members(node, span.start, from)
	case *ast.SequenceNode:
		node.kind, node.isInline = yamlList, from.IsFlowStyle && len(from.Values) > 0
		for _, element := range from.Values {
			node.nodes = append(node.nodes, r.node(element))
		}
	case *ast.AnchorNode:
		node = r.node(from.Value)
		node.isInline = true
		r.anchors[from.Name.GetToken().Value] = node
	case *ast.TagNode:
		if node = r.node(from.Value); node.kind == yamlScalar {
			node.scalar = node.text
		}
	case *ast.AliasNode:
		if aliased := r.anchors[from.Value.GetToken().Value]; aliased != nil {
			*node = *aliased
		}
		node.isInline, node.isAlias = true, true
	case *ast.LiteralNode:
		node.text, node.scalar = from.Value.Value, from.Value.Value
		node.end = max(span.end, r.spans[from.Value.Token].end)
	case ast.ScalarNode:
		if node.scalar = from.GetValue(); span.end > 0 { // a null may not be in the text
			node.text, node.end = from.GetToken().Value, span.end
		}
	}
	node.start = span.start
	return node
}

// members reads the members of a mapping, which starts at an offset in braces, or else with its first key. It
// returns the start.
func (r nodeReader) members(in *yamlNode, start int, members ...*ast.MappingValueNode) int {
	in.kind = yamlMapping
	for _, member := range members {
		in.nodes = append(in.nodes, r.node(member.Key), r.node(member.Value))
	}
	if !in.isInline && len(in.nodes) > 0 {
		return in.nodes[0].start
	}
	return start
}

func (n *yamlNode) isNull() bool { return n.kind == yamlScalar && n.scalar == nil && !n.isAlias }

// yamlMember is a member of a mapping, or an element of a list, which is named by its member "name".
type yamlMember struct {
	name  string
	start int
	value *yamlNode
}

// members returns the members of a mapping or the elements of a list, none for a scalar.
func (n *yamlNode) members() []yamlMember {
	var members []yamlMember
	for i, node := range n.nodes {
		switch {
		case n.kind == yamlList:
			member := yamlMember{start: node.start, value: node}
			if name := node.value("name"); name != nil {
				member.name = name.text
			}
			members = append(members, member)
		case i%2 == 0:
			members = append(members, yamlMember{node.text, node.start, n.nodes[i+1]})
		}
	}
	return members
}

// value returns the value of a key in a mapping, nil for none.
func (n *yamlNode) value(name string) *yamlNode {
	if n.kind != yamlMapping {
		return nil
	}
	members := n.members()
	if i := slices.IndexFunc(members, func(m yamlMember) bool { return m.name == name }); i >= 0 {
		return members[i].value
	}
	return nil
}

// json returns a value as JSON.
func (n *yamlNode) json() (json.RawMessage, error) {
	left := maxYAMLValue
	decoded := n.decoded(&left)
	if left <= 0 {
		return nil, errors.New("it is too large")
	}
	return json.Marshal(decoded)
}

// decoded returns a value as package json decodes one. It subtracts its nodes and the bytes of their texts
// from left; if nothing is left, the value is incomplete.
func (n *yamlNode) decoded(left *int) any {
	if *left -= 1 + len(n.text); *left <= 0 {
		return nil
	}
	switch n.kind {
	case yamlMapping:
		members := map[string]any{}
		for _, member := range n.members() {
			*left -= len(member.name)
			value := member.value.decoded(left)
			if merged, ok := value.(map[string]any); ok && member.name == "<<" {
				for name, value := range merged {
					if _, has := members[name]; !has {
						members[name] = value
					}
				}
				continue
			}
			members[member.name] = value
		}
		return members
	case yamlList:
		elements := []any{}
		for _, element := range n.nodes {
			elements = append(elements, element.decoded(left))
		}
		return elements
	}
	return n.scalar
}
