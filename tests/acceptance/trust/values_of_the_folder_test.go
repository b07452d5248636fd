package trust_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Values from files of the working folder", Label("TT14"), func() {
	const envFile = "work/.env"
	var c cloned
	BeforeEach(func() { c = clone() })

	trusted := func(server, values string) {
		GinkgoHelper()
		c.File(envFile, values)
		c.File(folderFile, `{"envFile":".env","secrets":{"KEPT":{"file":"kept"}},"toolboxes":{"b":{"mcpServers":{"s":{`+server+`}}}}}`)
		c.File("work/kept", "kept-value-1")
		Expect(c.Run("trust", "--yes", "--allow-options").Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	}
	// distrusts expects that the file is not used because of a variable, before it is trusted again.
	distrusts := func(variable, file, key string) {
		GinkgoHelper()
		reason := "is not trusted (the value of " + variable + " in " + c.Path(file) + ", which decides toolboxes.b.mcpServers.s." + key + ", is not the one that was trusted)"
		Expect(c.instructions()).To(ContainSubstring(reason))
		refused := c.Run("call", "b/s/x")
		Expect(refused.Code).To(Equal(2))
		Expect(refused.Stderr).To(And(ContainSubstring(reason), ContainSubstring("run `mcp-workbench trust "+c.Path(folderFile)+"`")))

		Expect(c.Run("trust", "--yes", "--allow-options").Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	}

	DescribeTable("are a part of the trust where they decide what runs or where it is", func(server, changed, variable, key string) {
		trusted(server, "FLAG=--quiet\nBASE=https://api.example\nDATA=1\n")
		c.File(envFile, changed)
		distrusts(variable, envFile, key)
	},
		Entry("as an argument", `"command":"x","args":["a","${FLAG}"]`, "FLAG=--require=evil.js\n", "FLAG", "args[1]"),
		Entry("as a variable that decides which code runs", `"command":"x","env":{"NODE_OPTIONS":"${FLAG}"}`, "FLAG=--require=evil.js\n", "FLAG", "env.NODE_OPTIONS"),
		Entry("as any other variable", `"command":"x","env":{"GIT_DIR":"${FLAG}"}`, "FLAG=/evil.git\n", "FLAG", "env.GIT_DIR"),
		Entry("as an address in a variable, whatever its name", `"command":"x","env":{"API_URL":"${A_TOKEN}"}`, "A_TOKEN=http://evil.example\n", "A_TOKEN", "env.API_URL"),
		Entry("in a header", `"url":"https://api.example/mcp","headers":{"X-Tenant":"${DATA}"}`, "DATA=2\n", "DATA", "headers.X-Tenant"),
		Entry("behind the host of an address", `"url":"https://api.example/mcp?d=${DATA}"`, "DATA=2\n", "DATA", "url"),
		Entry("as the beginning of an address", `"url":"${BASE}/mcp?d=${DATA}"`, "BASE=http://evil.example\nDATA=1\n", "BASE", "url"),
		Entry("in a host", `"url":"https://${DATA}.example/mcp"`, "DATA=evil.example/\n", "DATA", "url"),
		Entry("as the address of a login", `"url":"https://api.example/mcp","oauth":{"issuer":"${BASE}"}`, "BASE=https://evil.example\n", "BASE", "oauth.issuer"),
		Entry("if it is new there", `"command":"x","args":["${NEW:-old}"]`, "NEW=--require=evil.js\n", "NEW", "args[0]"),
	)

	It("are a part of it in files of secrets, too", func() {
		trusted(`"command":"x","args":["${KEPT}"]`, "")
		c.File("work/kept", "kept-value-2")
		distrusts("KEPT", "work/kept", "args[0]")
	})

	It("can change where they are secrets", func() {
		trusted(`"command":"x","env":{"TOKEN":"${A}"}`, "A=1\n")
		c.File(envFile, "A=2\n")
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))

		trusted(`"url":"https://api.example/mcp?t=${B_KEY}","headers":{"Authorization":"Bearer ${A}","H":"${B_KEY}"}`, "A=1\nB_KEY=2\n")
		c.File(envFile, "A=2\nB_KEY=3\n")
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	})

	It("do not count while the environment sets the variable, and are shown by trust", func() {
		trusted(`"command":"x","args":["${A}"]`, "A=of-the-file\n")
		c.File(envFile, "A=changed\n")
		launch := c.Launch("list")
		launch.Env = append(launch.Env, "A=of-the-user")
		Expect(Run(launch).Stderr).NotTo(ContainSubstring("is not trusted"))

		launch = c.Launch("trust", "--yes")
		launch.Env = append(launch.Env, "A=of-the-user")
		Expect(Run(launch).Stdout).To(ContainSubstring(
			"toolboxes.b.mcpServers.s.args[0] depends on A, which is changed in " + c.Path(envFile) + "; another value needs trust again\n"))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	})

	It("of an included file belong to the trust in that file", func() {
		c.File(envFile, "A=1\n")
		c.File("work/more.json", `{"envFile":".env","toolboxes":{"more":{"mcpServers":{"s":{"command":"x","args":["${A}"]}}}}}`)
		c.File(folderFile, `{"include":["./more.json"],"toolboxes":{}}`)
		Expect(c.Run("trust", "--yes", "--allow-options").Code).To(Equal(0))
		Expect(c.Run("trust", "--yes", c.Path("work/more.json")).Code).To(Equal(0))
		Expect(c.Run("list").Stdout).To(ContainSubstring("more"))

		c.File(envFile, "A=2\n")
		Expect(c.instructions()).To(ContainSubstring(c.Path("work/more.json") + " is not trusted (the value of A in "))
	})

	It("stay trusted when a command changes the file, and are asked about in a terminal once", func() {
		trusted(`"command":"x","args":["${A}"]`, "A=1\n")
		Expect(c.Run("add", "more", "--", "x").Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))

		c.File(envFile, "A=2\n")
		Expect(RunInTerminal(c.Launch("list", "more"), Turn{Until: "Trust this file? [y/N]", Type: "y\r"}).Code).NotTo(Equal(2))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	})
})
