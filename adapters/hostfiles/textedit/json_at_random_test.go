package textedit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/hostfiles/textedit"
)

// jsonText writes random objects as people and programs do.
type jsonText struct {
	*rand.Rand
	comments, trailing, spread bool
	blanks                     bool // at ends of lines
	lineEnd, unit              string
}

func newJSONText(seed uint64) *jsonText {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &jsonText{
		Rand: r, spread: r.IntN(4) > 0,
		lineEnd: []string{"\n", "\r\n"}[r.IntN(2)], unit: []string{"  ", "\t", "    "}[r.IntN(3)],
	}
	t.comments = t.spread && r.IntN(2) == 0
	t.trailing = t.spread && r.IntN(3) == 0
	t.blanks = t.spread && r.IntN(3) == 0
	return t
}

func (t *jsonText) object(depth int, indent string, names []string) string {
	if len(names) == 0 {
		return "{}"
	}
	var out strings.Builder
	out.WriteString("{")
	inner := indent + t.unit
	for i, name := range names {
		if t.spread {
			if t.comments && t.IntN(3) == 0 {
				out.WriteString(t.lineEnd + inner + "// \"}, { about\"")
			}
			out.WriteString(t.lineEnd + inner)
		}
		fmt.Fprintf(&out, "%q:", name)
		if t.spread {
			out.WriteString(" ")
		}
		if depth > 0 && t.IntN(2) == 0 {
			out.WriteString(t.object(depth-1, inner, t.names(t.IntN(4))))
		} else {
			out.WriteString([]string{`1`, `"}"`, `[1, "{"]`, `null`, `"\u00e4\"//"`}[t.IntN(5)])
		}
		if i < len(names)-1 || t.trailing {
			out.WriteString(",")
		}
		if t.comments && t.IntN(4) == 0 {
			out.WriteString(" /* , */ // } {")
		}
		if t.blanks && t.IntN(3) == 0 {
			out.WriteString([]string{" ", "\t", " \t "}[t.IntN(3)])
		}
	}
	if t.spread {
		out.WriteString(t.lineEnd + indent)
	}
	out.WriteString("}")
	return out.String()
}

func (t *jsonText) names(n int) []string {
	names := []string{"git", "a.b", "ä", `q"`, "workbench2", ""}
	t.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:n]
}

func decodedObject(text []byte) map[string]any {
	GinkgoHelper()
	standard, err := hujson.Standardize([]byte(strings.TrimPrefix(string(text), "\ufeff") + "\n"))
	Expect(err).NotTo(HaveOccurred())
	var value map[string]any
	Expect(json.Unmarshal(standard, &value)).To(Succeed())
	return value
}

var _ = It("edits any JSON text so that only the member differs, and back to the same bytes", func() {
	for seed := range uint64(1000) {
		t := newJSONText(seed)
		before := []byte(t.object(3, "", append(t.names(t.IntN(5)), "root")) + []string{"", "\n", "\r\n"}[t.IntN(3)])
		name := "workbench"

		edited, err := textedit.SetJSON(before, []string{name}, []byte(value))
		Expect(err).NotTo(HaveOccurred(), "%s", before)
		want := decodedObject(before)
		want[name] = map[string]any{"command": "wb", "args": []any{"a"}}
		Expect(decodedObject(edited)).To(Equal(want), "%s\n%s", before, edited)

		back, err := textedit.DeleteJSON(edited, []string{name})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(string(before)), "seed %d", seed)

		for _, gone := range t.names(6) {
			without, err := textedit.DeleteJSON(before, []string{gone})
			if _, there := decodedObject(before)[gone]; !there {
				Expect(err).To(MatchError(textedit.ErrNotFound))
				continue
			}
			Expect(err).NotTo(HaveOccurred())
			want := decodedObject(before)
			delete(want, gone)
			Expect(decodedObject(without)).To(Equal(want), "%q from\n%s\n%s", gone, before, without)
		}
	}
})
