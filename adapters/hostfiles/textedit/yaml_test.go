package textedit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
)

const gooseFile = `GOOSE_PROVIDER: openai
# what I use
extensions:
  developer:
    enabled: true
    type: builtin
  git:
    cmd: git-mcp
    args: ['--stdio', "b # c"]
    description: |
      lines
      # no comment

  # the last one
  web: {type: stdio, cmd: web, args: []} # flow
GOOSE_MODEL: x
`

const continueFile = `name: mine
mcpServers:
- name: git
  command: git-mcp
  args:
  - --stdio
- command: web # second
  name: web
models: &models
  - name: m
`

var _ = Describe("A text in YAML", func() {
	entry := json.RawMessage(`{"name":"w","cmd":"/a b/w","args":["--config","C:\\w"],"enabled":true,"timeout":300,"env":{"A":"${{ secrets.A }}"},"rest":{}}`)

	It("may have a directive before its document", func() {
		const text = "%YAML 1.2\n---\nextensions:\n  a:\n    cmd: x\n"

		added, err := textedit.YAML.Set([]byte(text), []string{"extensions", "w"}, entry)

		Expect(err).NotTo(HaveOccurred())
		Expect(textedit.YAML.Delete(added, []string{"extensions", "w"})).To(BeEquivalentTo(text))
	})

	DescribeTable("has nothing to delete where the entry is not, in whatever form the others are", func(text string) {
		_, err := textedit.YAML.Delete([]byte(text), []string{"extensions", "w"})
		Expect(err).To(MatchError(textedit.ErrNotFound))
	},
		Entry(nil, "extensions: {a: {cmd: x}}\n"), Entry(nil, "x: &d\n  a: {}\nextensions: *d\n"), Entry(nil, "{a: 1}\n"), Entry(nil, "extensions: x\n"),
	)

	It("is read", func() {
		members, err := textedit.YAML.Read([]byte(gooseFile), []string{"extensions"})
		Expect(err).NotTo(HaveOccurred())
		Expect(members).To(HaveLen(3))
		Expect(members[1].Name).To(Equal("git"))
		Expect(string(members[1].Value)).To(Equal(`{"args":["--stdio","b # c"],"cmd":"git-mcp","description":"lines\n# no comment\n"}`))
		members, err = textedit.YAML.Read([]byte(continueFile), []string{"mcpServers"})
		Expect(err).NotTo(HaveOccurred())
		Expect(members).To(HaveExactElements(HaveField("Name", "git"), HaveField("Name", "web")))
		Expect(textedit.YAML.Read([]byte("a: 1\n"), []string{"b"})).To(BeEmpty())
		Expect(textedit.YAML.Read(nil, []string{"b"})).To(BeEmpty())
	})

	DescribeTable("gets an entry and loses it again", func(before, section string, format textedit.Format, want string) {
		path := []string{section, "w"}
		after, err := format.Set([]byte(before), path, entry)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(ContainSubstring(want))
		members, err := textedit.YAML.Read(after, path[:1])
		Expect(err).NotTo(HaveOccurred())
		Expect(members[len(members)-1].Name).To(Equal("w"))
		Expect(members[len(members)-1].Value).To(MatchJSON(entry))

		again, err := format.Set(after, path, json.RawMessage(`{"name":"w","cmd":"x"}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(len(again)).To(BeNumerically("<", len(after)))

		removed, err := textedit.YAML.Delete(after, path)
		Expect(err).NotTo(HaveOccurred())
		left := strings.TrimRight(string(removed), "\r\n")
		if !strings.Contains(before, section+":\n") && !strings.Contains(before, section+":\r\n") {
			left = strings.TrimRight(strings.NewReplacer(section+": {}", "", section+": []", "").Replace(left), "\r\n")
			before = strings.NewReplacer(section+": {}", "", section+": []", "").Replace(before)
		}
		Expect(left).To(Equal(strings.TrimRight(before, "\r\n")))
	},
		Entry("as the last of a mapping", gooseFile, "extensions", textedit.YAML, "args: []} # flow\n  w:\n    name: w\n    cmd: \"/a b/w\"\n"),
		Entry("as the last of a list", continueFile, "mcpServers", textedit.YAMLList, "  name: web\n- name: w\n  cmd: \"/a b/w\"\n  args:\n    - \"--config\"\n    - \"C:\\\\w\"\n"),
		Entry("in a section that is missing", "a: 1\n", "extensions", textedit.YAML, "a: 1\nextensions:\n  w:\n"),
		Entry("in a list that is missing", "a: 1\n", "mcpServers", textedit.YAMLList, "a: 1\nmcpServers:\n  - name: w\n    cmd:"),
		Entry("in a section without entries", "extensions: {}\na: 1\n", "extensions", textedit.YAML, "extensions:\n  w:\n"),
		Entry("in a list without entries", "mcpServers: []\na: 1\n", "mcpServers", textedit.YAMLList, "mcpServers:\n  - name: w\n"),
		Entry("in a text without a line end", "extensions:\n    a:\n        cmd: x", "extensions", textedit.YAML, "cmd: x\n    w:\n      name: w\n"),
		Entry("with CR LF", "extensions:\r\n  a:\r\n    cmd: x\r\nb: 1\r\n", "extensions", textedit.YAML, "cmd: x\r\n  w:\r\n    name: w\r\n"),
		Entry("with a byte order mark", "\ufeffextensions:\n  a:\n    cmd: x\n", "extensions", textedit.YAML, "\ufeffextensions:\n  a:\n    cmd: x\n  w:\n"),
		Entry("in an empty text", "", "extensions", textedit.YAML, "extensions:\n  w:\n"),
		Entry("in a text of comments", "# mine\n", "extensions", textedit.YAML, "# mine\nextensions:\n"),
		Entry("after the start of a document", "---\na: 1\n", "extensions", textedit.YAML, "---\na: 1\nextensions:\n"),
		Entry("with letters of other languages", "extensions:\n  ä: {cmd: ö} # ü\n", "extensions", textedit.YAML, "# ü\n  w:\n"),
	)

	It("has controls and line ends of other languages as escapes, since readers refuse them", func() {
		value := "{\"name\":\"w\",\"cmd\":\"a\u007f\u0085\u009b\u2028b\",\"x\u007f\":[{\"y\":\"\u009b\"}]}"
		edited, err := textedit.YAML.Set(nil, []string{"extensions", "w"}, json.RawMessage(value))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(And(
			ContainSubstring(`cmd: "a\u007f\u0085\u009b\u2028b"`), ContainSubstring(`"x\u007f":`), ContainSubstring(`"y":"\u009b"`)))
		members, err := textedit.YAML.Read(edited, []string{"extensions"})
		Expect(err).NotTo(HaveOccurred())
		Expect(members[0].Value).To(MatchJSON(value))
	})

	DescribeTable("says that it is too large or nests too deep", func(text, message string) {
		_, err := textedit.YAML.Read([]byte(text), []string{"extensions"})
		Expect(err).To(MatchError(textedit.ErrSyntax))
		Expect(err).To(MatchError(ContainSubstring("the text cannot be parsed: " + message)))
	},
		Entry("with many bytes", "a: "+strings.Repeat("x", 300_000)+"\n", "it has 300004 bytes, and at most 262144 are read"),
		Entry("in brackets", "extensions: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+"\n", "it nests deeper than 1000 levels"),
		Entry("in braces", "extensions: "+strings.Repeat("{a: ", 5000)+strings.Repeat("}", 5000)+"\n", "it nests deeper than 1000 levels"),
		Entry("in dashes", "extensions:\n"+strings.Repeat("- ", 5000)+"x\n", "it nests deeper than 1000 levels"),
	)

	It("loses each entry of a name, which a list can have twice", func() {
		text := "mcpServers:\n  - name: w\n    command: one\n  - name: git\n    command: git\n  - name: w\n    command: two\n"
		after, err := textedit.YAML.Delete([]byte(text), []string{"mcpServers", "w"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(Equal("mcpServers:\n  - name: git\n    command: git\n"))
		after, err = textedit.YAML.Delete([]byte(strings.Replace(text, "name: git", "name: w", 1)), []string{"mcpServers", "w"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(Equal("mcpServers: []\n"))
	})

	DescribeTable("is refused where its value would be too large", func(text string) {
		_, err := textedit.YAML.Read([]byte(text), []string{"extensions"})
		Expect(err).To(Or(MatchError(textedit.ErrSyntax), MatchError(textedit.ErrNotEditable)))
	},
		Entry("with aliases of a long text", "a: &x "+strings.Repeat("y", 10_000)+"\nextensions:\n  b: ["+strings.Repeat("*x, ", 200)+"]\n"),
		Entry("with aliases of aliases", "a: &a [x, x]\nb: &b [*a, *a]\n"+func() string {
			var text strings.Builder
			for c := 'c'; c <= 'x'; c++ {
				fmt.Fprintf(&text, "%c: &%c [*%c, *%c]\n", c, c, c-1, c-1)
			}
			return text.String()
		}()+"extensions:\n  y: *x\n"),
	)

	It("keeps comments and the form of others when one goes", func() {
		after, err := textedit.YAML.Delete([]byte(gooseFile), []string{"extensions", "git"})
		Expect(err).NotTo(HaveOccurred())
		cut := gooseFile[strings.Index(gooseFile, "  git:"):strings.Index(gooseFile, "\n  # the last")]
		Expect(string(after)).To(Equal(strings.Replace(gooseFile, cut, "", 1)))
		after, err = textedit.YAML.Delete([]byte(continueFile), []string{"mcpServers", "web"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(Equal(strings.Replace(continueFile, "- command: web # second\n  name: web\n", "", 1)))
	})

	It("keeps what other parts refer to", func() {
		for _, text := range []string{"extensions:\n  w: &x\n    cmd: a\nb: *x\n", "extensions:\n  - &x {name: w}\n  - <<: *x\n    name: v\n"} {
			_, err := textedit.YAML.Delete([]byte(text), []string{"extensions", "w"})
			Expect(err).To(MatchError(textedit.ErrNotEditable), text)
			_, err = textedit.YAML.Set([]byte(text), []string{"extensions", "w"}, json.RawMessage(`{"name":"w"}`))
			Expect(err).To(MatchError(textedit.ErrNotEditable), text)
		}
	})

	DescribeTable("is refused where a change would change more", func(text string, want error) {
		_, err := textedit.YAML.Set([]byte(text), []string{"extensions", "w"}, entry)
		Expect(err).To(MatchError(want))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	},
		Entry("braces", "extensions: {a: {cmd: secret}}\n", textedit.ErrNotEditable),
		Entry("JSON", `{"extensions": {"a": {"cmd": "secret"}}}`, textedit.ErrNotEditable),
		Entry("an anchor", "extensions: &e\n  a: {cmd: secret}\n", textedit.ErrNotEditable),
		Entry("an alias", "x: &e\n  a: {cmd: secret}\nextensions: *e\n", textedit.ErrNotEditable),
		Entry("no mapping", "extensions: secret\n", textedit.ErrNotEditable),
		Entry("more than one document", "a: 1\n---\nb: secret\n", textedit.ErrSyntax),
		Entry("a broken text", "a: [secret\n", textedit.ErrSyntax),
		Entry("a list", "- secret\n", textedit.ErrSyntax),
		Entry("UTF-16", "\xff\xfea\x00", textedit.ErrSyntax),
	)

	DescribeTable("gets an entry in the place that changes nothing else, and loses it again", func(before, want string) {
		path := []string{"extensions", "w"}
		after, err := textedit.YAML.Set([]byte(before), path, json.RawMessage(`{"cmd":"run"}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(Equal(want))
		_, err = textedit.YAML.Delete(after, path)
		Expect(err).NotTo(HaveOccurred())
	},
		Entry("before the end of the document", "extensions:\n  a:\n    cmd: x\n...\n", "extensions:\n  a:\n    cmd: x\n  w:\n    cmd: run\n...\n"),
		Entry("before the end, without the section", "a: 1\n...\n", "a: 1\nextensions:\n  w:\n    cmd: run\n...\n"),
		Entry("before a block of text without a line end", "extensions:\n  a:\n    b: |\n      x", "extensions:\n  w:\n    cmd: run\n  a:\n    b: |\n      x"),
		Entry("before such a block, without the section", "a: |\n  x", "extensions:\n  w:\n    cmd: run\na: |\n  x"),
		Entry("before a block that keeps its blank lines", "extensions:\n  a:\n    b: |+\n      x\n\nc: 1\n", "extensions:\n  w:\n    cmd: run\n  a:\n    b: |+\n      x\n\nc: 1\n"),
		Entry("below a comment beside nothing", "extensions: # mine\nb: 1\n", "extensions: # mine\n  w:\n    cmd: run\nb: 1\n"),
		Entry("below a comment beside an empty mapping", "extensions: {} # mine\n", "extensions: # mine\n  w:\n    cmd: run\n"),
	)

	It("loses an entry with the blank lines that would become a part of a block before it", func() {
		text := "extensions:\n  a:\n    b: |+\n      x\n  w:\n    cmd: run\n\nc: 1\n"
		after, err := textedit.YAML.Delete([]byte(text), []string{"extensions", "w"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(after)).To(Equal("extensions:\n  a:\n    b: |+\n      x\nc: 1\n"))
	})

	DescribeTable("names the key that is there twice", func(format textedit.Format, text, place string) {
		_, err := format.Read([]byte(text), []string{"extensions"})
		Expect(err).To(MatchError(textedit.ErrSyntax))
		Expect(err).To(MatchError(HaveSuffix(place)))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	},
		Entry("in YAML", textedit.YAML, "extensions:\n  a b:\n    cmd: secret\n  a b:\n    cmd: x\n", `at line 4, column 3: "a b" is there twice`),
		Entry("as a table of TOML", textedit.TOML, "[s.a]\nc = 'secret'\n[s.a]\nc = 'x'\n", `: "a" is there twice`),
		Entry("as a key of TOML", textedit.TOML, "[s.a]\nc = 'secret'\nc = 'x'\n", `: "c" is there twice`),
	)

	It("names the place that is not YAML", func() {
		_, err := textedit.YAML.Set([]byte("a: 1\r\nextensions:\r\n  x: [secret\r\n"), []string{"extensions", "w"}, entry)
		Expect(err).To(MatchError(ContainSubstring("it is not YAML at line 3, column 6")))
	})

	It("shows no value, whatever its form", func() {
		text := "a: hidden\nb: \"hid\\\"den\" # c\nc: 'hid''den'\nd: |\n  hidden\n  hidden\ne: >-\n  hidden\nf: hid\n  den hidden\n" +
			"g: [hidden, 'hidden']\nh: !!str hidden\ni: &x hidden\nj: *x\nk:\n  - hidden\n  - y: \"hid\n    den\"\nl: hidden"
		masked := string(textedit.YAML.Mask([]byte(text), func(textedit.Value) string { return "•" }))
		Expect(masked).NotTo(ContainSubstring("hid"))
		Expect(masked).NotTo(ContainSubstring("den"))
		Expect(masked).To(And(ContainSubstring("b: \"•\" # c\n"), ContainSubstring(`g: ["•", "•"]`), HaveSuffix(`l: "•"`)))
		Expect(string(textedit.YAML.Mask([]byte(text), func(v textedit.Value) string { return v.Text }))).To(Equal(text))
		Expect(textedit.YAML.Mask([]byte("a: ["), nil)).To(BeNil())
	})

	It("shows no value of any of these texts", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 2))
		pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
		for range 400 {
			var text strings.Builder
			for i := range 1 + random.IntN(5) {
				fmt.Fprintf(&text, "%s%d:%s\n", pick("k", "ä", "\"q\"")+strings.Repeat("x", random.IntN(2)), i, pick(" hid", " 'hid''x hid'", " \"hid\\\" hid\"",
					" |\n  hid\n   hid", " >-\n  hid\n\n  hid", " hid\n  hid", " \"hid\n   hid\"", " [hid, {a: 'hid'}]", " {a: hid, b: \"hid\"}",
					"\n- hid\n- 'hid'", "\n  - a: hid\n    b: hid", "\n  a: &x hid\n  b: *x", " !!str hid", " hid # c", "\n  - - hid\n    - hid", "", " null", " \"\\u0041hid\\x41 hid\" # c", " hid\u00a0  \n  hid", " |+\n  hid\n\n"))
				text.WriteString(pick("", "\n", "# c\n"))
			}
			masked := textedit.YAML.Mask([]byte(text.String()), func(textedit.Value) string { return "•" })
			if masked != nil {
				Expect(string(masked)).NotTo(ContainSubstring("hid"), text.String())
			}
		}
	})

	It("is either edited without a change of the rest or refused, for any of these texts", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1))
		pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
		for range 400 {
			var text strings.Builder
			text.WriteString(pick("", "# c\n", "---\n", "a: |\n  # x\n\n", "a: {b: [c,\n  d]}\n") + pick("extensions:", "extensions:", "extensions: # c") + "\n")
			indent := pick("  ", " ", "    ", "")
			for i := range random.IntN(4) {
				fmt.Fprintf(&text, "%s%s:%s\n", indent, pick("w", "x", "y", "\"z\"")+pick("", fmt.Sprint(i)),
					pick(" 1", " {a: b}", " |\n"+indent+"   t\n\n", "\n"+indent+"  - a\n"+indent+"  # deep", "\n"+indent+"  k: 'v\n"+indent+"   w'", " &a b", " \"q\\u0041 \\\"\"", " *a", " t\u00a0  \n"+indent+"   t"))
				text.WriteString(pick("", "\n", indent+"# c\n", "# c\n"))
			}
			text.WriteString(pick("", "b: 1\n", "\n\n", "b: 1", "# end\n"))
			before := []byte(text.String())
			if members, err := textedit.YAML.Read(before, []string{"extensions"}); err == nil {
				after, err := textedit.YAML.Set(before, []string{"extensions", "w"}, entry)
				if err != nil {
					Expect(err).To(MatchError(textedit.ErrNotEditable), text.String())
					continue
				}
				set, err := textedit.YAML.Read(after, []string{"extensions"})
				Expect(err).NotTo(HaveOccurred(), text.String())
				for _, member := range members {
					if member.Name != "w" {
						Expect(set).To(ContainElement(member), text.String())
					}
				}
				_, err = textedit.YAML.Delete(after, []string{"extensions", "w"})
				if strings.Count(string(after), "w:") == 1 { // a name that is there twice is refused
					Expect(err).NotTo(HaveOccurred(), string(after))
				}
			}
		}
	})
})
