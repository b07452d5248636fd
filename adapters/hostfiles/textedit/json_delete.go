package textedit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// remove implements DeleteJSON.
func (d *jsonDocument) remove(path []string) ([]byte, error) {
	in, depth, err := d.find(path[:len(path)-1])
	if err != nil || memberIndex(in, path[depth]) < 0 {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
	}
	object := in.Value.(*hujson.Object)
	list := object.Members
	hasTrailingComma := list[len(list)-1].Value.AfterExtra != nil
	following := &object.AfterExtra
	for i := range slices.Backward(list) {
		if isNamed(list[i], path[depth]) {
			after := slices.Concat(list[i].Value.AfterExtra, *following)
			*following = joined(list[i].Name.BeforeExtra, after, following == &object.AfterExtra)
		} else {
			following = &list[i].Name.BeforeExtra
		}
	}
	object.Members = slices.DeleteFunc(list, func(member hujson.ObjectMember) bool { return isNamed(member, path[depth]) })
	if len(object.Members) == 0 {
		if len(bytes.TrimSpace(object.AfterExtra)) == 0 {
			object.AfterExtra = nil // "{}"
		}
		return d.root.Pack(), nil
	}
	last := &object.Members[len(object.Members)-1].Value
	if last.AfterExtra = append(hujson.Extra{}, last.AfterExtra...); !hasTrailingComma {
		object.AfterExtra, last.AfterExtra = slices.Concat(last.AfterExtra, object.AfterExtra), nil
	}
	return d.root.Pack(), nil
}

// joined returns what was before and after a member that is deleted, without its line if nothing else is on it.
// With the last member goes the line end before it, which was inserted with it, but not blanks behind it, which
// were behind the member before it.
func joined(before, after hujson.Extra, isLast bool) hujson.Extra {
	line, isFirst := lineStart(before, len(before))
	isFirst = isFirst && line > 0
	next, isAlone := lineEnd(after, 0)
	isAlone = isAlone && isFirst && bytes.HasSuffix(after[:next], []byte("\n"))
	switch {
	case isAlone && isLast:
		before = before[:withoutLineEnd(before, line)]
	case isAlone:
		before, after = before[:line], after[next:]
	case isFirst:
		after = bytes.TrimLeft(after, " \t")
	default:
		before = bytes.TrimRight(before, " \t")
	}
	return slices.Concat(before, after)
}
