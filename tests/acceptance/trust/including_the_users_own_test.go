package trust_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A configuration of the working folder that includes the user's own", Label("TT11"), func() {
	var (
		c   cloned
		own Server
	)
	BeforeEach(func() {
		c = clone()
		own = Scripted("own", WithTools("read"))
	})
	// becomes gives the user's server another script.
	becomes := func(s script.Script) {
		GinkgoHelper()
		Expect(s.Save(c.Path("script.json"))).To(Succeed())
		own = Program("own", ScriptedServer(), `"args":["-script",`+Quote(c.Path("script.json"))+`]`)
	}
	// including writes both files, with these members at their roots.
	including := func(theirs, mine string) {
		GinkgoHelper()
		c.File(OwnConfiguration, "{"+mine+Configuration(NewToolbox("mine", own))[1:])
		c.File(folderFile, `{"include":["user"],`+theirs+Configuration(NewToolbox("box", Scripted("more", WithTools("look"))))[1:])
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
	}
	// launch returns a run in the folder with a variable of the user.
	launch := func(args ...string) Launch {
		l := c.Launch(args...)
		l.Env = append(l.Env, "USERS_TOKEN=users-secret-token")
		return l
	}

	It("is shown by trust, with the path of that file", func() {
		including("", "")
		c.File(folderFile, c.Content(folderFile)+" ")

		Expect(c.Run("trust", "--yes").Stdout).To(ContainSubstring(
			"\n  includes " + c.Path(OwnConfiguration) + ", your own configuration, which keeps its protections and its lock\n"))
	})

	It("does not let its packages start the user's servers", func() {
		c.File("bin/npx", "#!/bin/sh\nexit 1\n")
		Expect(os.Chmod(c.Path("bin/npx"), 0o700)).To(Succeed())
		own = Program("gh", "npx", `"args":["-y","goodpkg"]`)
		including("", `"packages":"locked",`)

		refused := Run(launch("list", "mine"))

		Expect(refused.Stdout + refused.Stderr).To(ContainSubstring("the configuration lets only pinned packages start"))
	})

	It("neither passes the user's servers all variables, nor starts them early", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: "tools/call", Tool: "read", Do: []script.Step{{Environ: true}}}}
		own = Scripted("own", s)
		including(`"inheritEnv":"all","start":"connect",`, "")
		w := Start(launch())
		w.Initialize()
		Expect(w.Open("box").Names()).To(Equal([]string{"look"}))
		Expect(own.Starts()).To(Equal(0))

		w.Open("mine")
		Expect(w.Use("mine", "own", "read", "{}").Text()).To(And(ContainSubstring("HOME="), Not(ContainSubstring("users-secret-token"))))
		Expect(w.End()).To(Equal(0))
	})

	It("neither logs what the user's servers are sent, nor hides what happens", func() {
		including(`"logPayloads":true,"logLevel":"debug","activity":false,"status":false,`, "")
		w := Start(launch())
		w.Initialize()
		w.Open("mine")
		w.Use("mine", "own", "read", `{"card":"of-the-user"}`)
		Expect(w.End()).To(Equal(0))

		Expect(w.Stderr()).NotTo(ContainSubstring("of-the-user"))
		Expect(c.Run("calls").Stdout).To(ContainSubstring("mine/own/read"))
	})

	It("does not decide by its lock about the user's tools, which the user's lock decides about", func() {
		becomes(WithTools("read"))
		including("", `"pinning":"block",`)
		users := c.Launch("lock")
		users.Dir = c.Path(".config")
		Expect(Run(users).Code).To(Equal(0))
		Expect(Run(c.Launch("list", "mine")).Stdout).To(ContainSubstring("read"))
		c.File("work/workbench.lock.json", `{"lockVersion":4,"toolboxes":{},"instructions":{},"packages":{}}`)
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		outcome := Run(c.Launch("list", "mine"))
		Expect(outcome.Stdout).To(ContainSubstring("read"), outcome.Stderr)

		becomes(WithTools("read", "write"))
		w := Start(c.Launch())
		w.Initialize()
		Expect(w.Open("mine").Names()).To(Equal([]string{"read"}))
		Expect(w.End()).To(Equal(0))

		theirs := c.Launch("lock", "--update")
		Expect(Run(theirs).Code).To(Equal(0))
		Expect(c.Content(".config/mcp-workbench/workbench.lock.json")).To(And(ContainSubstring(`"write"`), Not(ContainSubstring(`"look"`))))
		Expect(c.Content("work/workbench.lock.json")).To(And(ContainSubstring(`"look"`), Not(ContainSubstring(`"write"`))))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
	})
})
