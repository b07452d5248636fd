package textedit_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
)

var _ = Describe("Reading members", func() {
	It("returns those of a JSON object in order, without comments", func() {
		members, err := textedit.ReadJSON([]byte("\ufeff{\"s\": {\"z\": [1, /* two */ 2,], \"a\": 1, \"z\": {\"b\": \"ä\"}}}"), []string{"s"})
		Expect(err).NotTo(HaveOccurred())
		Expect(members).To(Equal([]textedit.Member{{Name: "a", Value: []byte(`1`)}, {Name: "z", Value: []byte(`{"b":"ä"}`)}}))
	})

	It("returns those of a TOML table in order, as JSON", func() {
		members, err := textedit.TOML.Read([]byte("[s.z]\na = [1]\n[other]\n[s.a]\n\"b c\" = \"ä\"\n[s.z.e]\nk = true\n"), []string{"s"})
		Expect(err).NotTo(HaveOccurred())
		Expect(members).To(HaveLen(2))
		Expect(members[0].Name).To(Equal("z"))
		Expect(members[0].Value).To(MatchJSON(`{"a":[1],"e":{"k":true}}`))
		Expect(members[1].Name).To(Equal("a"))
		Expect(members[1].Value).To(MatchJSON(`{"b c":"ä"}`))
	})

	It("finds none at a missing path", func() {
		Expect(textedit.ReadJSON([]byte(`{}`), []string{"s", "t"})).To(BeEmpty())
		Expect(textedit.TOML.Read(nil, []string{"s", "t"})).To(BeEmpty())
	})

	It("returns the elements of a list by their names", func() {
		want := []textedit.Member{{Name: "a", Value: []byte(`{"b":1,"name":"a"}`)}, {Value: []byte(`{"b":2}`)}}
		Expect(textedit.ReadJSON([]byte(`{"x": {"s": [{"b": 1, "name": "a"}, /* no name */ {"b": 2},]}}`), []string{"x", "s"})).To(Equal(want))
		Expect(textedit.TOML.Read([]byte("[[s]]\nname = \"a\"\nb = 1\n[[s]]\nb = 2\n"), []string{"s"})).To(Equal(want))
		Expect(textedit.ReadJSON([]byte(`{"s": []}`), []string{"s"})).To(And(BeEmpty(), Not(BeNil())))
	})

	It("refuses a path through another value", func() {
		_, err := textedit.ReadJSON([]byte(`{"s":[1]}`), []string{"s"})
		Expect(err).To(MatchError(textedit.ErrNotEditable))
		_, err = textedit.TOML.Read([]byte("s = 1\n"), []string{"s"})
		Expect(err).To(MatchError(textedit.ErrNotEditable))
	})
})
