package trust_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The file of a project beside the user's own", Label("TT16"), func() {
	var c cloned
	BeforeEach(func() {
		c = clone()
		c.File(folderFile, Configuration(NewToolbox("box", c.planted)))
		c.File(OwnConfiguration, Configuration(NewToolbox("mine", Scripted("files", WithTools("read")))))
	})
	// served starts the workbench as an entry that connect wrote does.
	served := func() *Workbench {
		GinkgoHelper()
		return c.serve("--config", c.Path(OwnConfiguration))
	}
	trusted := func() {
		GinkgoHelper()
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
	}

	It("gives hosts its toolboxes too once it is trusted, also a host that runs already", func() {
		w := served()
		Expect(w.Open("mine").Names()).To(Equal([]string{"read"}))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(ContainSubstring(c.line()))

		trusted()
		w.AwaitSent(ToolsListChanged, 1)

		Expect(w.Open("box").Names()).To(Equal([]string{"steal"}))
		Expect(instructionsOf(Start(c.Launch("--config", c.Path(OwnConfiguration))))).To(And(ContainSubstring("**mine**"), ContainSubstring("**box**")))
	})

	It("leaves the hosts that run once it has changed, until it is trusted again", func() {
		trusted()
		w := served()
		Expect(w.Open("box").Names()).To(Equal([]string{"steal"}))

		ReplaceFile(c.Path(folderFile), Configuration(NewToolbox("later", c.planted)))
		w.AwaitSent(ToolsListChanged, 1)

		Expect(w.Call("open_toolbox", `{"toolbox":"later"}`).Failure()).To(ContainSubstring(c.changedLine()))
		Expect(w.Open("mine").Names()).To(Equal([]string{"read"}))
	})

	It("is what commands see that use what hosts use", func() {
		trusted()

		Expect(c.Run("list").Stdout).To(And(HavePrefix("mine\t"), ContainSubstring("\nbox\t")))
		Expect(c.Run("call", "box/planted/steal").Stdout).To(Equal("done\n"))
		Expect(c.Run("call", "mine/files/read").Stdout).To(Equal("done\n"))
		Expect(c.Run("doctor", "--offline").Stdout).To(ContainSubstring("2 servers"))
	})

	It("adds toolboxes and the protections of its servers, and no other setting", func() {
		c.File(folderFile, `{"confirm":["steal"],"logLevel":"debug","include":["user"],"limits":{"call":"1s"},`+c.configuration("box")[len(`{"start":"connect",`):])
		trusted()

		validated := c.Run("validate")
		Expect(validated.Code).To(Equal(3))
		Expect(validated.Stdout).To(And(
			ContainSubstring(`logLevel: found "logLevel" beside the user's own configuration, want it in `+c.Path(OwnConfiguration)),
			ContainSubstring(`limits: found "limits" beside`), Not(ContainSubstring("include")), Not(ContainSubstring("confirm"))))
		refused := c.Run("call", "box/planted/steal")
		Expect(refused.Stdout + refused.Stderr).NotTo(ContainSubstring("done\n"))
	})

	It("cannot replace a toolbox of the user, and says how to rename its own", func() {
		c.File(folderFile, Configuration(NewToolbox("mine", c.planted)))
		trusted()

		Expect(c.Run("call", "mine/files/read").Stdout).To(Equal("done\n"))
		line := "`mcp-workbench rename mine NEW` in " + c.Path("work")
		Expect(c.Run("validate").Stdout).To(ContainSubstring(line))
		Expect(c.Run("doctor", "--offline").Stdout).To(ContainSubstring(line))
		beside := func(args ...string) Launch {
			l := c.Launch(args...)
			l.Env = append(l.Env, "XDG_RUNTIME_DIR="+c.Path("runtime"))
			return l
		}
		Expect(os.Mkdir(c.Path("runtime"), 0o700)).To(Succeed())
		w := Start(beside("--config", c.Path(OwnConfiguration)))
		w.Initialize()
		Expect(w.Open("mine").Names()).To(Equal([]string{"read"}))
		Eventually(func() string { return Run(beside("status", "--json")).Stdout }).WithTimeout(Patience).Should(ContainSubstring(line))

		Expect(c.Run("rename", "mine", "theirs").Code).To(Equal(0))
		Expect(c.Run("list", "theirs").Code).To(Equal(0))
	})

	It("takes nothing from the user when it is broken", func() {
		c.File(folderFile, `{"toolboxes":{"box":{"mcpServers":{"a":{"comand":"x"}}}}}`)
		Expect(c.Run("trust", "--yes").Code).To(Equal(3))
		Expect(c.Run("call", "mine/files/read").Stdout).To(Equal("done\n"))
		c.File(folderFile, `{"toolboxes":`)
		Expect(c.Run("list", "mine").Code).To(Equal(0))
	})

	It("is turned off by the user's file", func() {
		trusted()
		Expect(c.Run("list").Stdout).To(ContainSubstring("\nbox\t"))
		c.File(OwnConfiguration, `{"projects":false,`+c.Content(OwnConfiguration)[1:])
		Expect(c.Run("list").Stdout).To(And(HavePrefix("mine\t"), Not(ContainSubstring("box"))))
	})

	It("changes no entry of a host: connect writes the user's file", func() {
		c.File(".cursor/mcp.json", `{}`)
		trusted()
		Expect(c.Run("connect", "cursor", "--yes").Code).To(Equal(0))
		Expect(c.Content(".cursor/mcp.json")).To(And(ContainSubstring(Quote(c.Path(OwnConfiguration))), Not(ContainSubstring("--if-trusted"))))
	})
})
