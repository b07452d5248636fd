package textedit_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
)

var _ = Describe("Masking values", func() {
	names := []string{"env", "headers"}
	hidden := func(path []string) bool {
		return slices.ContainsFunc(path, func(name string) bool { return slices.Contains(names, name) })
	}
	below := func(value textedit.Value) string {
		if hidden(value.Path) {
			return "•••"
		}
		return value.Text
	}

	It("hides the given values of JSON, and nothing else", func() {
		text := `{"a": {"env": {"K": "s", "L": ["t", 1]}, "args": ["x"]}, "headers": "u"} // end`
		Expect(string(textedit.MaskJSON([]byte(text), below))).To(Equal(
			`{"a": {"env": {"K": "•••", "L": ["•••", "•••"]}, "args": ["x"]}, "headers": "•••"} // end`))
	})

	It("passes the path of each value, and the value before it", func() {
		var found []textedit.Value
		textedit.MaskJSON([]byte(`{"a": ["x", {"b": "\u00e9"}, 1.50, null]}`), func(value textedit.Value) string {
			found = append(found, value)
			return value.Text
		})
		Expect(found).To(Equal([]textedit.Value{
			{Path: []string{"a", "0"}, Text: "x"},
			{Path: []string{"a", "1", "b"}, Text: "é"},
			{Path: []string{"a", "2"}, Text: "1.50"},
			{Path: []string{"a", "3"}, Text: "null"},
		}))
	})

	It("hides the given values of TOML, and nothing else", func() {
		text := "[a]\nargs = [\"x\"]\nenv = { K = \"s\" } # c\n[a.headers]\n\"X = Y\" = \"\"\"\nt\n\"\"\"\nb.c=1\n[z]\nk = 1\n"
		Expect(string(textedit.TOML.Mask([]byte(text), below))).To(Equal(
			"[a]\nargs = [\"x\"]\nenv = { K = \"•••\" } # c\n[a.headers]\n\"X = Y\" = \"•••\"\nb.c=\"•••\"\n[z]\nk = 1\n"))
	})

	It("hides each value of TOML, whatever its form", func() {
		text := "\ufeffa = \"hid\\\"den\" # c\nb = 'hidden'\nc = \"\"\"\nhid\n\"\"\"\nd = [\"hid\", [true, 1.5], { e.f = '''hid''' }]\n[[g]]\nh = 2024-11-05T00:00:00Z\n"
		Expect(string(textedit.TOML.Mask([]byte(text), func(textedit.Value) string { return "•" }))).To(Equal(
			"a = \"•\" # c\nb = \"•\"\nc = \"•\"\nd = [\"•\", [\"•\", \"•\"], { e.f = \"•\" }]\n[[g]]\nh = \"•\"\n"))
	})

	It("shows nothing of a text that cannot be parsed", func() {
		Expect(textedit.MaskJSON([]byte(`{"env": secret`), below)).To(BeNil())
		Expect(textedit.TOML.Mask([]byte("secret"), below)).To(BeNil())
	})
})
