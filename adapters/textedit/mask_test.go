package textedit_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/textedit"
)

var _ = Describe("Masking values", func() {
	names := []string{"env", "headers"}

	It("hides those below a name in JSON, and nothing else", func() {
		text := `{"a": {"env": {"K": "s", "L": ["t", 1]}, "args": ["x"]}, "headers": "u"} // end`
		Expect(string(textedit.MaskJSON([]byte(text), names, `"•••"`))).To(Equal(
			`{"a": {"env": {"K": "•••", "L": ["•••", "•••"]}, "args": ["x"]}, "headers": "•••"} // end`))
	})

	It("hides those below a name in TOML, and nothing else", func() {
		text := "[a]\nargs = [\"x\"]\nenv = { K = \"s\" } # c\n[a.headers]\n\"X = Y\" = \"\"\"\nt\n\"\"\"\nb.c=1\n[z]\nk = 1\n"
		Expect(string(textedit.MaskTOML([]byte(text), names, `"•••"`))).To(Equal(
			"[a]\nargs = [\"x\"]\nenv = \"•••\" # c\n[a.headers]\n\"X = Y\" = \"•••\"\nb.c= \"•••\"\n[z]\nk = 1\n"))
	})

	It("shows nothing of what it cannot read", func() {
		Expect(textedit.MaskJSON([]byte(`{"env": secret`), names, `"•••"`)).To(BeNil())
		Expect(textedit.MaskTOML([]byte("secret"), names, `"•••"`)).To(BeNil())
	})
})
