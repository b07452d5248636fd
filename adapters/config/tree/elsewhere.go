package tree

import "github.com/tailscale/hujson"

// Elsewhere returns a member that is not in the file, with its value as JSON: findings about it have no position, and its texts
// are as others wrote them (IsElsewhere). The value must be valid JSON.
func Elsewhere(parent *Path, name string, value []byte) (Member, error) {
	parsed, err := hujson.Parse(value)
	if err != nil {
		return Member{}, err //nolint:wrapcheck // the caller knows what the value is
	}
	for inside := range parsed.All() {
		inside.StartOffset, inside.EndOffset = nowhere, nowhere
	}
	return Member{Node: Node{Value: &parsed, Path: parent.Member(name)}, Name: name, start: nowhere}, nil
}

// IsElsewhere reports whether a value is not in the file, so that its texts are literal.
func (n Node) IsElsewhere() bool { return n.Value.StartOffset == nowhere }

// Append appends members to an object, which must have none of their names.
func (n Node) Append(members Object) {
	object := n.Value.Value.(*hujson.Object)
	for _, m := range members {
		name := hujson.Value{Value: m.Literal, StartOffset: m.start}
		object.Members = append(object.Members, hujson.ObjectMember{Name: name, Value: *m.Value})
	}
}
