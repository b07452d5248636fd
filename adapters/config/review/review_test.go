package review_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/review"
)

// server has keys with the traits of those of servers, under other names.
type server struct {
	Program string            `json:"start" is:"code line"`
	Words   []string          `json:"words" is:"code line"`
	Env     map[string]string `json:"settings" is:"data variables"`
	Folder  string            `json:"folder" is:"code"`
	Passes  []string          `json:"passes" is:"protection inherits"`
	Place   string            `json:"place" is:"address"`
	Headers map[string]string `json:"lines" is:"data secret"`
	Login   struct {
		At string `json:"at" is:"address"`
	} `json:"login"`
	Filters []string `json:"only" is:"protection strict"`
	Shared  bool     `json:"shared" is:"protection"`
	Cert    string   `json:"cert" is:"file"`
	Name    string   `json:"name" is:"harmless"`
}

func of(before, after string) review.Change {
	change := review.Change{Keys: keys.For[server](), After: json.RawMessage(after)}
	if before != "" {
		change.Before = json.RawMessage(before)
	}
	return change
}

var _ = Describe("The review of a change", func() {
	It("says what runs, from which package, and what it gets", func() {
		change := of("", `{"start": "npx", "words": ["-y", "@octo/hf_tools@1.2", "--token", "abcdefgh"], "settings": {"A": "${B}", "NODE_OPTIONS": "-r ./x"},
			"folder": "/srv", "passes": ["C"]}`)
		change.UsedBy = func(name string) []string { return map[string][]string{"B": {"code/github"}}[name] }

		Expect(review.Of(change)).To(Equal(review.Review{
			Runs:    `A='${B}' NODE_OPTIONS='-r ./x' npx -y @octo/hf_tools@1.2 --token ••• (in /srv)`,
			Details: []string{"package: @octo/hf_tools@1.2 (npm)", "it sets NODE_OPTIONS, which names code that Node loads"},
			Grants:  []review.Grant{{"B", "B (now used by code/github) goes to the program npx"}, {"C", "C goes to the program npx"}},
		}))
	})

	It("says where it talks, without secrets, and who gets all variables", func() {
		Expect(review.Of(of("", `{"place": "https://me:abcdefgh@H.example/x?k=abcdefgh", "lines": {"A": "${T}"}}`))).To(Equal(review.Review{
			Runs: "https://me:•••@H.example/x?k=•••", Grants: []review.Grant{{"T", "T goes to https://h.example"}},
		}))
		Expect(review.Of(of("", `{"start": "x", "passes": "all"}`)).Grants).To(Equal([]review.Grant{{"", "all your variables go to the program x"}}))
	})

	DescribeTable("needs care for", func(before, after string, lines ...string) {
		Expect(review.Of(of(before, after)).NeedsCare).To(HaveExactElements(lines))
	},
		Entry("another host", `{"place": "https://a.example/x"}`, `{"place": "https://b.example/x"}`, "another address: https://b.example, was: https://a.example"),
		Entry("another scheme", `{"place": "https://a.example"}`, `{"place": "http://a.example"}`, "another address: http://a.example, was: https://a.example"),
		Entry("another place of logins", `{"place": "https://a", "login": {"at": "https://b"}}`, `{"place": "https://a", "login": {"at": "https://c"}}`, "another login.at: https://c, was: https://b"),
		Entry("another program", `{"start": "a"}`, `{"start": "b"}`, "another program: b, was: a"),
		Entry("another package", `{"start": "npx", "words": ["a@1"]}`, `{"start": "npx", "words": ["b@1"]}`, "another package: b (npm), was: a (npm)"),
		Entry("a package of another type", `{"start": "npx", "words": ["a"]}`, `{"start": "uvx", "words": ["a"]}`,
			"another program: uvx, was: npx", "another package: a (pypi), was: a (npm)"),
		Entry("another folder", `{"start": "a", "folder": "/a"}`, `{"start": "a", "folder": "/b"}`, "another folder: /b, was: /a"),
		Entry("a variable that is new", `{"start": "a"}`, `{"start": "a", "settings": {"A": "${B}"}}`, "A is a variable that it did not get before", "B goes to the program a"),
		Entry("a header that is new", `{"place": "https://a"}`, `{"place": "https://a", "lines": {"A": "b"}}`, "A is a header that it did not get before"),
		Entry("options that are code", `{"start": "node", "words": ["x.js"]}`, `{"start": "node", "words": ["x.js", "--eval=y"]}`, "--eval is code, or names code that is loaded"),
		Entry("variables that are code", `{"start": "a", "settings": {"NODE_OPTIONS": "x"}}`, `{"start": "a", "settings": {"NODE_OPTIONS": "y"}}`, "it sets NODE_OPTIONS, which names code that Node loads"),
		Entry("all variables", `{"start": "a", "passes": ["B"]}`, `{"start": "a", "passes": true}`, "all your variables go to the program a"),
		Entry("a filter that is gone", `{"start": "a", "only": ["read"]}`, `{"start": "a"}`, `only is gone, was: ["read"]`),
		Entry("a filter that is another", `{"start": "a", "only": ["read"]}`, `{"start": "a", "only": ["*"]}`, `only is ["*"], was: ["read"]`),
		Entry("a protection that another value weakens", `{"start": "a"}`, `{"start": "a", "shared": true}`, "shared is true, was: none"),
		Entry("another file", `{"place": "https://a", "cert": "a"}`, `{"place": "https://a", "cert": "b"}`, `cert is "b", was: "a"`),
		Entry("nothing that is only another version, path or name", `{"start": "npx", "words": ["a@1"], "name": "x"}`, `{"start": "npx", "words": ["a@2", "y"], "name": "z"}`),
		Entry("no filter that is new", `{"start": "a"}`, `{"start": "a", "only": ["read"]}`),
		Entry("no new server of the user", "", `{"start": "node", "words": ["-e", "x"], "settings": {"NODE_OPTIONS": "y"}}`),
	)

	DescribeTable("needs care for what someone else described", func(words string, lines ...string) {
		change := of("", `{"start": `+words+`}`)
		change.IsForeign = true
		Expect(review.Of(change).NeedsCare).To(HaveExactElements(lines))
	},
		Entry("and is code behind an option", `"node", "words": ["-e", "x"]`, "-e is code, or names code that is loaded"),
		Entry("and may be a password, which is not shown", `"mysql-mcp", "words": ["-ume", "-pMaple-Tree7"]`, "-p is code, or names code that is loaded"),
		Entry("and is code for a shell", `"sh", "words": ["-c", "x"]`, "-c is code, or names code that is loaded"),
		Entry("and is code for a shell behind joined options", `"bash", "words": ["-lc", "x"]`, "-lc is code, or names code that is loaded"),
		Entry("and is code for an interpreter that a launcher starts", `"uv", "words": ["run", "python", "-c", "x"]`, "-c is code, or names code that is loaded"),
		Entry("and is code for npm", `"npx", "words": ["--call=x", "a"]`, "--call is code, or names code that is loaded"),
		Entry("and is an argument that loads code", `"npx", "words": ["-y", "a", "--import", "x"]`, "--import is code, or names code that is loaded"),
		Entry("and is a variable", `"a", "settings": {"LD_PRELOAD": "x"}`, "it sets LD_PRELOAD, which names libraries that every program loads"),
		Entry("but not for the user's own variable of that name", `"a", "settings": {"NODE_EXTRA_CA_CERTS": "${NODE_EXTRA_CA_CERTS}"}`),
		Entry("but not for a module, a package or a variable of a container", `"python", "words": ["-m", "a"]`),
		Entry("but not for a module that a launcher starts", `"uv", "words": ["run", "--project", "a", "python", "-m", "b", "--port", "1"]`),
		Entry("but not for a script of a shell", `"bash", "words": ["-l", "./run.sh", "-x"]`),
		Entry("but not for the options of a launcher", `"docker", "words": ["run", "-e", "A", "-p", "1:1", "image"]`),
	)
})
