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
	// Members are visited from the last one on, so following is the text before the next member that stays.
	following := &object.AfterExtra
	for i := range slices.Backward(list) {
		if isNamed(list[i], path[depth]) {
			after := slices.Concat(list[i].Value.AfterExtra, *following)
			*following = textAround(list[i].Name.BeforeExtra, after, following == &object.AfterExtra)
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

// textAround joins the texts before and after a deleted member. If nothing else is on its line, the line is left out:
// for the last member with the line end before it, since that was inserted with it, but not with the blanks after it,
// since those followed the member before it.
func textAround(before, after hujson.Extra, isLast bool) hujson.Extra {
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
