package textedit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/pelletier/go-toml/v2"

	"mcp-workbench/adapters/hostfiles/textedit"
)

var (
	tomlPath = []string{"mcp_servers", "workbench"}
	settings = json.RawMessage(`{"command": "wb", "args": ["a", "b\"\\"], "env": {"K": "v"}}`)
	table    = lines(`[mcp_servers.workbench]`, `args = ["a", "b\"\\"]`, `command = "wb"`, ``, `[mcp_servers.workbench.env]`, `K = "v"`)
)

var _ = Describe("Editing TOML", func() {
	DescribeTable("a new table is at the end", func(before, after string) {
		edited, err := textedit.TOML.Set([]byte(before), tomlPath, settings)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("of an empty text", "", table),
		Entry("after others", "model = \"x\" # mine\n", "model = \"x\" # mine\n\n"+table),
		Entry("after a line without an end", "[a]\nb = 1", "[a]\nb = 1\n\n"+table),
		Entry("in place of the one that was there", "[mcp_servers.workbench]\ncommand = \"old\"\n\n[z]\n", "\n[z]\n\n"+table),
		Entry("with Windows line ends", "a = 1\r\n", "a = 1\r\n\r\n"+strings.ReplaceAll(table, "\n", "\r\n")),
	)

	DescribeTable("a table is deleted wherever it is", func(before, after string) {
		edited, err := textedit.TOML.Delete([]byte(before), tomlPath)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("with the tables below it", "a = 1\n\n[mcp_servers.workbench]\ncommand = \"x\"\nargs = [\n  \"y\", # z\n]\n\n# about git\n[mcp_servers.git]\nb = 2\n\n[mcp_servers.workbench.env]\nK = 1\n",
			"a = 1\n\n# about git\n[mcp_servers.git]\nb = 2\n"),
		Entry("as dotted keys", "[mcp_servers]\nworkbench.command = \"x\"\ngit.command = \"y\"\n", "[mcp_servers]\ngit.command = \"y\"\n"),
		Entry("as a value", "\ufeff[mcp_servers]\nworkbench = { command = \"x\" } # ours\n", "\ufeff[mcp_servers]\n"),
		Entry("with quoted names", "[\"mcp_servers\".'workbench'] # ours\ncommand = \"x\"\n[z]\n", "[z]\n"),
	)

	DescribeTable("what cannot be edited is refused", func(before string, failure error) {
		_, err := textedit.TOML.Set([]byte(before), tomlPath, settings)
		Expect(err).To(MatchError(failure))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	},
		Entry("broken", "a = secret\n", textedit.ErrSyntax),
		Entry("broken further down", "b = 1\nc = = secret\n", textedit.ErrSyntax),
		Entry("UTF-16", "\xff\xfea\x00", textedit.ErrSyntax),
		Entry("servers in a value", "mcp_servers = { secret = { command = \"x\" } }\n", textedit.ErrNotEditable),
		Entry("an array of tables", "[[mcp_servers]]\nsecret = 1\n", textedit.ErrNotEditable),
		Entry("a table within a value", "mcp_servers = { workbench = { command = \"secret\" } }\n", textedit.ErrNotEditable),
	)

	It("names the place where it is broken", func() {
		_, err := textedit.TOML.Read([]byte("b = 1\nc = = secret\n"), nil)

		Expect(err).To(MatchError(HaveSuffix("it is not TOML at line 2, column 5")))
	})

	It("writes values of every kind", func() {
		edited, err := textedit.TOML.Set(nil, []string{"t"}, json.RawMessage(
			`{"b": true, "f": 1.5, "i": 3, "l": ["x", {"y z": 1}], "m": {"k": "v\u0001\n\u007f<"}}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(lines(`[t]`, `b = true`, `f = 1.5`, `i = 3`, `l = ["x", { "y z" = 1 }]`, ``, `[t.m]`, `k = "v\u0001\n\u007f<"`)))
		_, err = textedit.TOML.Set(nil, []string{"t"}, json.RawMessage(`{"n": null}`))
		Expect(err).To(MatchError(textedit.ErrNotEditable))
		_, err = textedit.TOML.Set(nil, []string{"t"}, json.RawMessage(`[1]`))
		Expect(err).To(MatchError(textedit.ErrNotEditable))
	})

	It("edits any text so that only the table differs, and back to the same bytes", func() {
		for seed := range uint64(500) {
			before := randomTOML(rand.New(rand.NewPCG(seed, 2)))
			var want map[string]any
			Expect(toml.Unmarshal([]byte(before), &want)).To(Succeed(), "%s", before)

			edited, err := textedit.TOML.Set([]byte(before), tomlPath, settings)
			Expect(err).NotTo(HaveOccurred(), "%s", before)
			var got map[string]any
			Expect(toml.Unmarshal(edited, &got)).To(Succeed())
			servers, ok := got["mcp_servers"].(map[string]any)
			Expect(ok).To(BeTrue())
			Expect(servers["workbench"]).To(Equal(map[string]any{
				"command": "wb", "args": []any{"a", `b"\`}, "env": map[string]any{"K": "v"},
			}))
			if delete(servers, "workbench"); len(servers) == 0 {
				delete(got, "mcp_servers")
			}
			Expect(got).To(Equal(want))

			back, err := textedit.TOML.Delete(edited, tomlPath)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(back)).To(Equal(before))
		}
	})
})

// randomTOML writes tables, values over lines and comments; its last line has an end.
func randomTOML(r *rand.Rand) string {
	var out strings.Builder
	for i := range r.IntN(4) {
		fmt.Fprintf(&out, "key%d = %s%s\n", i, randomValue(r), []string{"", " # [mcp_servers.workbench]"}[r.IntN(2)])
	}
	for i := range r.IntN(4) {
		fmt.Fprintf(&out, "%s[%s.\"t %d\"]\n", []string{"", "\n", "# about it\n"}[r.IntN(3)], []string{"mcp_servers", "other"}[r.IntN(2)], i)
		for j := range r.IntN(3) {
			fmt.Fprintf(&out, "  k%d = %s\n", j, randomValue(r))
		}
	}
	return out.String()
}

func randomValue(r *rand.Rand) string {
	return []string{"1", `"x # y"`, "[\n  1, # [z]\n]", "'''\n[mcp_servers.workbench]\n'''", "{ a = 1 }"}[r.IntN(5)]
}
