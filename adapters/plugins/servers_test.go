package plugins_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/plugins"
)

var _ = Describe("The servers of a plugin", func() {
	DescribeTable("are not used if mcp.json breaks a rule, and the skills are", func(text, report string) {
		f := newFolder()
		f.file("mcp.json", text)
		f.file("skills/t/SKILL.md", "---\nname: t\ndescription: x\n---\n")

		Expect(f.reports()).To(Equal([]string{"mcp.json " + report}))
		Expect(f.loaded().Servers).To(BeEmpty())
		Expect(f.loaded().Skills).To(HaveLen(1))
	},
		Entry("7.2.2: no JSON", `{`, "is not valid JSON; so no server is used (7.2.2)"),
		Entry("7.2.1: no object", `[]`, "is no object; so no server is used (7.2.2)"),
		Entry("7.2.1: no schema", `{"mcpServers":{}}`, `has no "$schema"; so no server is used (7.2.1)`),
		Entry("7.2.2: another version", `{"$schema":"https://agent-plugins.org/schemas/1.1.0/mcp.schema.json","mcpServers":{}}`,
			`has another "$schema" than https://agent-plugins.org/schemas/1.0.0/mcp.schema.json, the version of "plugin.json"; so no server is used (7.2.2)`),
		Entry("7.2.1: no servers", `{`+serversSchema+`}`, `has no "mcpServers"; so no server is used (7.2.1)`),
		Entry("7.2.1: servers that are no object", `{`+serversSchema+`,"mcpServers":[]}`, `has "mcpServers", which is no object; so no server is used (7.2.1)`),
		Entry("7.2.1: another field", `{`+serversSchema+`,"mcpServers":{},"inputs":[]}`, "has the unknown field 'inputs'; so no server is used (7.2.1)"),
		Entry("7.2.1: a server twice", `{`+serversSchema+`,"mcpServers":{"a":{},"a":{}}}`, `has "mcpServers", which has 'a' twice; so no server is used (7.2.1)`),
	)

	DescribeTable("are skipped one by one if an entry breaks a rule", func(entry, report string) {
		f := newFolder()
		f.servers(`"bad":` + entry + `,"good":{"type":"stdio","command":"x"}`)

		Expect(f.reports()).To(Equal([]string{"server 'bad' " + report}))
		Expect(f.loaded().Servers).To(HaveLen(1))
	},
		Entry("7.2.1: no object", `"x"`, "is no object; so it is skipped (7.2.1)"),
		Entry("7.2.1: a field twice", `{"type":"stdio","command":"x","command":"y"}`, "has 'command' twice; so it is skipped (7.2.1)"),
		Entry("7.2.1: no type", `{"command":"x"}`, `has no "type"; so it is skipped (7.2.1)`),
		Entry("7.2.1: an unknown type", `{"type":"http","url":"https://x.example"}`,
			`has a "type" other than "stdio", "streamable-http" and "sse"; so it is skipped (7.2.1)`),
		Entry("7.2.1: an unknown field", `{"type":"stdio","command":"x","timeout":1}`,
			`has the field 'timeout', which a server of the type "stdio" cannot have; so it is skipped (7.2.1)`),
		Entry("7.2.1: a field of another type", `{"type":"sse","url":"https://x.example","args":[]}`,
			`has the field 'args', which a server of the type "sse" cannot have; so it is skipped (7.2.1)`),
		Entry("7.2.1: no command", `{"type":"stdio"}`, `has no "command", which is a string that is not empty; so it is skipped (7.2.1)`),
		Entry("7.2.1: an empty command", `{"type":"stdio","command":""}`, `has no "command", which is a string that is not empty; so it is skipped (7.2.1)`),
		Entry("7.2.1: a shell command", `{"type":"stdio","command":"npx -y x"}`,
			`has a "command" that is neither the name of a program nor a path that begins with "./"; so it is skipped (7.2.1)`),
		Entry("7.2.1: an absolute command", `{"type":"stdio","command":"/bin/sh"}`,
			`has a "command" that is neither the name of a program nor a path that begins with "./"; so it is skipped (7.2.1)`),
		Entry("7.2.1: a placeholder in the command", `{"type":"stdio","command":"${PLUGIN_ROOT}/x"}`,
			`has a "command" that is neither the name of a program nor a path that begins with "./"; so it is skipped (7.2.1)`),
		Entry("7.2.1: a path of Windows", `{"type":"stdio","command":"bin\\x"}`,
			`has a "command" that is neither the name of a program nor a path that begins with "./"; so it is skipped (7.2.1)`),
		Entry("4.1: a command that leaves the folder", `{"type":"stdio","command":"./../x"}`,
			`has a "command" that cannot be used: it leads out of the folder of the plugin; so it is skipped (4.1)`),
		Entry("7.2.1: args that are no list", `{"type":"stdio","command":"x","args":"y"}`, `has "args" that are no list of strings; so it is skipped (7.2.1)`),
		Entry("7.2.1: an argument that is no string", `{"type":"stdio","command":"x","args":[1]}`,
			`has "args" that are no list of strings; so it is skipped (7.2.1)`),
		Entry("7.2.1: env that is no object", `{"type":"stdio","command":"x","env":[]}`, `has an "env", which is no object; so it is skipped (7.2.1)`),
		Entry("7.2.1: a variable that is no string", `{"type":"stdio","command":"x","env":{"A":1}}`,
			`has 'A' in "env", which is not a string; so it is skipped (7.2.1)`),
		Entry("7.2.1: an illegal variable", `{"type":"stdio","command":"x","env":{"A=B":"1"}}`,
			`has 'A=B' in "env", which cannot be the name of a variable; so it is skipped (7.2.1)`),
		Entry("9.2: PLUGIN_ROOT", `{"type":"stdio","command":"x","env":{"PLUGIN_ROOT":"1"}}`,
			"sets PLUGIN_ROOT, which the workbench sets; so it is skipped (9.2)"),
		Entry("9.2: PLUGIN_DATA", `{"type":"stdio","command":"x","env":{"PLUGIN_DATA":"1"}}`,
			"sets PLUGIN_DATA, which the workbench sets; so it is skipped (9.2)"),
		Entry("7.2.1: a folder that is no string", `{"type":"stdio","command":"x","cwd":1}`, `has a "cwd" that is not a string; so it is skipped (7.2.1)`),
		Entry("7.2.1: a folder of another form", `{"type":"stdio","command":"x","cwd":"data"}`,
			`has a "cwd" that begins neither with "./" nor with ${PLUGIN_ROOT} or ${PLUGIN_DATA}; so it is skipped (7.2.1)`),
		Entry("7.2.1: a folder that only begins like one", `{"type":"stdio","command":"x","cwd":"${PLUGIN_ROOT}x"}`,
			`has a "cwd" that begins neither with "./" nor with ${PLUGIN_ROOT} or ${PLUGIN_DATA}; so it is skipped (7.2.1)`),
		Entry("4.1: a folder outside", `{"type":"stdio","command":"x","cwd":"./a/../.."}`, `has a "cwd" that leads out of the folder; so it is skipped (4.1)`),
		Entry("4.1: a folder outside of the root", `{"type":"stdio","command":"x","cwd":"${PLUGIN_ROOT}/.."}`,
			`has a "cwd" that leads out of the folder; so it is skipped (4.1)`),
		Entry("4.1: a folder outside of the data", `{"type":"stdio","command":"x","cwd":"${PLUGIN_DATA}/../x"}`,
			`has a "cwd" that leads out of the folder; so it is skipped (4.1)`),
		Entry("7.2.1: no address", `{"type":"sse"}`, `has no "url", which is a string that is not empty; so it is skipped (7.2.1)`),
		Entry("7.2.1: a relative address", `{"type":"streamable-http","url":"/mcp"}`,
			`has a "url" that is no absolute address with http or https; so it is skipped (7.2.1)`),
		Entry("7.2.1: another scheme", `{"type":"streamable-http","url":"ftp://x.example"}`,
			`has a "url" that is no absolute address with http or https; so it is skipped (7.2.1)`),
		Entry("7.2.1: no host", `{"type":"streamable-http","url":"https://:80/x"}`,
			`has a "url" that is no absolute address with http or https; so it is skipped (7.2.1)`),
		Entry("7.2.1: a user name", `{"type":"streamable-http","url":"https://me:pw@x.example"}`, `has a "url" with a user name; so it is skipped (7.2.1)`),
		Entry("7.2.1: an empty user name", `{"type":"streamable-http","url":"https://@x.example"}`, `has a "url" with a user name; so it is skipped (7.2.1)`),
		Entry("7.2.1: a fragment", `{"type":"streamable-http","url":"https://x.example/#"}`, `has a "url" with a fragment; so it is skipped (7.2.1)`),
		Entry("7.2.1: http elsewhere", `{"type":"streamable-http","url":"http://x.example"}`,
			`has a "url" with http, which only localhost and loopback addresses can have; so it is skipped (7.2.1)`),
		Entry("7.2.1: http at a name like localhost", `{"type":"sse","url":"http://localhost.example"}`,
			`has a "url" with http, which only localhost and loopback addresses can have; so it is skipped (7.2.1)`),
		Entry("7.2.1: headers that are no object", `{"type":"sse","url":"https://x.example","headers":[]}`,
			`has "headers", which is no object; so it is skipped (7.2.1)`),
		Entry("7.2.1: a header that is no string", `{"type":"sse","url":"https://x.example","headers":{"A":1}}`,
			`has 'A' in "headers", which is no valid header; so it is skipped (7.2.1)`),
		Entry("7.2.1: an illegal header", `{"type":"sse","url":"https://x.example","headers":{"A B":"1"}}`,
			`has 'A B' in "headers", which is no valid header; so it is skipped (7.2.1)`),
		Entry("7.2.1: an illegal value", `{"type":"sse","url":"https://x.example","headers":{"A":"1\n"}}`,
			`has 'A' in "headers", which is no valid header; so it is skipped (7.2.1)`),
		Entry("7.2.1: a header twice", `{"type":"sse","url":"https://x.example","headers":{"A":"1","a":"2"}}`, "has the header 'a' twice; so it is skipped (7.2.1)"),
	)

	It("have the placeholders replaced once, in args, env and cwd only, and other text as it is", func() {
		f := newFolder()
		f.servers(`"s":{"type":"stdio","command":"${PLUGIN_ROOT}","args":["${PLUGIN_ROOT}/a:${PLUGIN_DATA}","$${PLUGIN_ROOT}","${HOME}","${PLUGIN_ROOT","${plugin_root}","~"],
			"env":{"${PLUGIN_ROOT}":"${PLUGIN_DATA}","B":"%PATH% $X"}}`)

		loaded := f.loaded()
		data := loaded.Data
		Expect(f.settings()).To(Equal(map[string]any{
			"type": "stdio", "command": "${PLUGIN_ROOT}", "cwd": string(f),
			"args": []any{string(f) + "/a:" + data, "$" + string(f), "${HOME}", "${PLUGIN_ROOT", "${plugin_root}", "~"},
			"env":  map[string]any{"${PLUGIN_ROOT}": data, "B": "%PATH% $X", "PLUGIN_ROOT": string(f), "PLUGIN_DATA": data},
		}))
	})

	It("do not have text replaced that a replacement brought", func() {
		above := newFolder()
		f := folder(filepath.Join(string(above), "${PLUGIN_DATA}"))
		f.file("plugin.json", manifest)
		f.servers(`"s":{"type":"stdio","command":"x","args":["${PLUGIN_ROOT}"]}`)
		Expect(f.settings()["args"]).To(Equal([]any{string(f)}))
	})

	DescribeTable("are started in a folder of the plugin or of its data", func(cwd, inRoot, inData string) {
		f := newFolder()
		f.servers(`"s":{"type":"stdio","command":"x"` + cwd + `}`)
		wanted := filepath.Join(string(f), inRoot)
		if inData != "" {
			wanted = filepath.Join(f.loaded().Data, inData)
		}
		Expect(f.settings()["cwd"]).To(Equal(wanted))
	},
		Entry("without one", ``, ".", ""), Entry("the root", `,"cwd":"./"`, ".", ""), Entry("a folder of it", `,"cwd":"./a/../b"`, "b", ""),
		Entry("by the placeholder", `,"cwd":"${PLUGIN_ROOT}"`, ".", ""), Entry("below it", `,"cwd":"${PLUGIN_ROOT}/a"`, "a", ""),
		Entry("the data", `,"cwd":"${PLUGIN_DATA}"`, "", "."), Entry("below them", `,"cwd":"${PLUGIN_DATA}/a/b"`, "", "a/b"),
	)

	It("are addresses with their headers, but for those that the workbench sets itself", func() {
		f := newFolder()
		f.servers(`"s":{"type":"streamable-http","url":"https://x.example/${PLUGIN_ROOT}?a=b","headers":{"X-A":"${PLUGIN_ROOT}","accept":"x"}}`)
		Expect(f.settings()).To(Equal(map[string]any{
			"type": "streamable-http", "url": "https://x.example/${PLUGIN_ROOT}?a=b", "headers": map[string]any{"X-A": "${PLUGIN_ROOT}"},
		}))
	})

	DescribeTable("may have http on this machine", func(url string) {
		f := newFolder()
		f.servers(`"s":{"type":"sse","url":"` + url + `"}`)
		Expect(f.settings()["url"]).To(Equal(url))
	}, Entry("localhost", "http://localhost:1/x"), Entry("IPv4", "http://127.1.2.3"), Entry("IPv6", "http://[::1]:80/"))

	It("may be none", func() {
		f := newFolder()
		f.servers(``)
		Expect(f.reports()).To(BeEmpty())
	})

	It("are not used from a folder, or from a link that leads out", func() {
		f := newFolder()
		Expect(os.Mkdir(f.path("mcp.json"), 0o700)).To(Succeed())
		Expect(f.reports()).To(Equal([]string{"mcp.json is no regular file; so no server is used (6.2)"}))

		Expect(os.Remove(f.path("mcp.json"))).To(Succeed())
		f.link(filepath.Join(GinkgoT().TempDir(), "mcp.json"), "mcp.json")
		Expect(f.reports()).To(Equal([]string{"mcp.json cannot be used: it leads out of the folder of the plugin; so no server is used (4.1)"}))
	})

	It("do not run a program, or start in a folder, to which a link leads out", func() {
		f := newFolder()
		outside := GinkgoT().TempDir()
		f.link(outside, "out")
		f.servers(`"a":{"type":"stdio","command":"./out/x"},"b":{"type":"stdio","command":"x","cwd":"./out"}`)
		Expect(f.reports()).To(Equal([]string{
			"server 'a' has a \"command\" that cannot be used: it leads out of the folder of the plugin; so it is skipped (4.1)",
			"server 'b' has a \"cwd\" that leads out of the folder; so it is skipped (4.1)",
		}))
	})

	It("may run a program through a link in the folder", func() {
		f := newFolder()
		f.file("lib/x", "1")
		f.link("../lib/x", "bin/x")
		f.servers(`"a":{"type":"stdio","command":"./bin/x"}`)
		Expect(f.settings()["command"]).To(Equal(f.path("bin/x")))
	})
})

var _ = Describe("What a yes to a plugin holds for", func() {
	seen := func(f folder) string { return string(f.loaded().Seen()) }

	It("is the manifest, mcp.json and the files that commands name, whether or not they exist", func() {
		f := newFolder()
		f.servers(`"a":{"type":"stdio","command":"./bin/x"},"b":{"type":"stdio","command":"node","args":["./other"]}`)
		before := seen(f)
		Expect(f.loaded().Deciding()).To(ContainElements("plugin.json", "bin/x", "mcp.json"))
		f.file("other", "1")
		Expect(seen(f)).To(Equal(before))

		f.file("bin/x", "1")
		Expect(seen(f)).NotTo(Equal(before))
		before = seen(f)
		f.file("bin/x", "2")
		Expect(seen(f)).NotTo(Equal(before))
		before = seen(f)
		f.file("plugin.json", manifest+" ")
		Expect(seen(f)).NotTo(Equal(before))
	})

	It("changes when mcp.json appears", func() {
		f := newFolder()
		before := seen(f)
		f.servers(``)
		Expect(seen(f)).NotTo(Equal(before))
	})

	It("has a private folder for the data, which another plugin of that name does not get", func() {
		f := newFolder()
		other := folder(GinkgoT().TempDir())
		other.file("plugin.json", manifest)
		data := f.loaded().Data
		Expect(filepath.Base(data)).To(HavePrefix("tools-"))
		Expect(other.loaded().Data).NotTo(Equal(data))
		f.file("plugin.json", `{`+manifestSchema+`,"name":"tools","version":"2"}`)
		Expect(f.loaded().Data).To(Equal(data))
		_, err := os.Stat(data)
		Expect(err).To(MatchError(os.ErrNotExist))
	})
})

var _ = Describe("A plugin in a plugin", func() {
	It("is another plugin", func() {
		f := newFolder()
		inner := folder(f.path("skills/inner"))
		inner.file("plugin.json", manifest)
		inner.servers(`"s":{"type":"stdio","command":"x"}`)
		Expect(f.loaded().Servers).To(BeEmpty())
		Expect(f.loaded().Reports).To(BeEmpty())
		Expect(plugins.IsIn(string(inner))).To(BeTrue())
	})
})
