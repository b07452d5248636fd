package textedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
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
	yamlAlias
)

// yamlNode is a value in a YAML text. The nodes of a mapping are its keys and values in turn.
type yamlNode struct {
	kind  yamlKind
	nodes []*yamlNode
	// text is the text of a scalar, or the name of an alias. scalar is the value of a scalar.
	text    string
	scalar  any
	aliased *yamlNode
	// anchor and tag precede the node, "" for none.
	anchor, tag string
	// isFlow is true in braces and brackets, and quote is how a scalar is quoted: ", ', | or 0.
	isFlow bool
	quote  byte
	// line counts from 0, and column is the number of characters before the node on the line.
	line, column int
}

// unreadableYAMLError says why a text that may well be YAML is not read. It does not show the text.
type unreadableYAMLError string

func (e unreadableYAMLError) Error() string { return string(e) }

// readNodes parses the documents of a text. The error may show the text.
func readNodes(text []byte) (roots []*yamlNode, err error) {
	defer func() {
		if recover() != nil {
			roots, err = nil, unreadableYAMLError("the YAML parser fails on it")
		}
	}()
	if len(text) > maxYAML {
		return nil, unreadableYAMLError(fmt.Sprintf("it has %d bytes, and at most %d are read", len(text), maxYAML))
	}
	if isTooDeep(text) {
		return nil, unreadableYAMLError(fmt.Sprintf("it nests deeper than %d levels", maxYAMLDepth))
	}
	// The parser miscounts lines that end with CR LF; without the CR every place stays the same.
	file, err := parser.ParseBytes(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), 0)
	if err != nil {
		return nil, err
	}
	for _, document := range file.Docs {
		reader := nodeReader{anchors: map[string]*yamlNode{}}
		if document.Body != nil {
			roots = append(roots, reader.node(document.Body, &yamlNode{}))
		}
	}
	return roots, nil
}

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

type nodeReader struct{ anchors map[string]*yamlNode }

// node converts a node of the parser. A node without a position gets the position of beside.
func (r nodeReader) node(from ast.Node, beside *yamlNode) *yamlNode {
	node := &yamlNode{line: beside.line, column: beside.column}
	switch from := from.(type) {
	case *ast.MappingNode:
		node.kind, node.isFlow = yamlMapping, from.IsFlowStyle
		node.at(from.Start)
		for _, member := range from.Values {
			r.member(node, member)
		}
		if !node.isFlow && len(node.nodes) > 0 {
			node.line, node.column = node.nodes[0].line, node.nodes[0].column
		}
	case *ast.MappingValueNode:
		node.kind = yamlMapping
		r.member(node, from)
		node.line, node.column = node.nodes[0].line, node.nodes[0].column
	case *ast.SequenceNode:
		node.kind, node.isFlow = yamlList, from.IsFlowStyle
		node.at(from.Start)
		for _, element := range from.Values {
			node.nodes = append(node.nodes, r.node(element, node))
		}
	case *ast.AnchorNode:
		node = r.node(from.Value, beside)
		node.at(from.Start)
		node.anchor = from.Name.GetToken().Value
		r.anchors[node.anchor] = node
	case *ast.TagNode:
		node = r.node(from.Value, beside)
		node.at(from.Start)
		if node.tag = from.Start.Value; node.kind == yamlScalar {
			node.scalar = node.text
		}
	case *ast.AliasNode:
		node.at(from.Start)
		node.kind, node.text = yamlAlias, from.Value.GetToken().Value
		node.aliased = r.anchors[node.text]
	case *ast.LiteralNode:
		node.at(from.Start)
		node.text, node.scalar, node.quote = from.Value.Value, from.Value.Value, '|'
	case *ast.StringNode:
		node.at(from.Token)
		node.text, node.scalar = from.Value, from.Value
		switch from.Token.Type {
		case token.DoubleQuoteType:
			node.quote = '"'
		case token.SingleQuoteType:
			node.quote = '\''
		}
	case ast.ScalarNode:
		if _, isNull := from.(*ast.NullNode); !isNull || isWritten(from.GetToken()) {
			node.at(from.GetToken())
			node.text = from.GetToken().Value
		}
		node.scalar = from.GetValue()
	}
	return node
}

// isWritten reports whether a null is in the text.
func isWritten(null *token.Token) bool {
	return strings.Contains(null.Origin, "~") || strings.EqualFold(strings.TrimSpace(null.Origin), "null")
}

func (r nodeReader) member(in *yamlNode, from *ast.MappingValueNode) {
	key := r.node(from.Key, in)
	if merge, ok := from.Key.(*ast.MergeKeyNode); ok {
		key.at(merge.Token)
		key.text = "<<"
	}
	in.nodes = append(in.nodes, key, r.node(from.Value, key))
}

func (n *yamlNode) at(t *token.Token) {
	if t != nil && t.Position != nil {
		n.line, n.column = t.Position.Line-1, t.Position.Column-1
	}
}

func (n *yamlNode) isNull() bool { return n.kind == yamlScalar && n.scalar == nil }

// resolved returns the node that an alias refers to, and any other node itself.
func (n *yamlNode) resolved() *yamlNode {
	if n.kind == yamlAlias && n.aliased != nil {
		return n.aliased
	}
	return n
}

// value returns the value of a key in a mapping, nil for none.
func (n *yamlNode) value(name string) *yamlNode {
	if n.kind != yamlMapping {
		return nil
	}
	for i := 0; i+1 < len(n.nodes); i += 2 {
		if n.nodes[i].text == name {
			return n.nodes[i+1].resolved()
		}
	}
	return nil
}

// walk visits a node and those in it, but not those that aliases refer to.
func (n *yamlNode) walk(visit func(*yamlNode)) {
	visit(n)
	for _, child := range n.nodes {
		child.walk(visit)
	}
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
	n = n.resolved()
	if *left -= 1 + len(n.text); *left <= 0 {
		return nil
	}
	switch n.kind {
	case yamlMapping:
		members := map[string]any{}
		for i := 0; i+1 < len(n.nodes); i += 2 {
			*left -= len(n.nodes[i].text)
			value := n.nodes[i+1].decoded(left)
			if merged, ok := value.(map[string]any); ok && n.nodes[i].text == "<<" {
				for name, value := range merged {
					if _, has := members[name]; !has {
						members[name] = value
					}
				}
				continue
			}
			members[n.nodes[i].text] = value
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
