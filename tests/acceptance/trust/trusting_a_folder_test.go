package trust_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// cloned is a folder with a configuration that came with it, and the home of the user who
// works there.
type cloned struct {
	HomeFolder
	// planted is the server that the folder's configuration starts when a host connects.
	planted Server
}

const (
	folderFileName = "workbench-config.json"
	folderFile     = "work/" + folderFileName
)

// clone creates the folder.
func clone() cloned {
	GinkgoHelper()
	c := cloned{NewHomeFolder(), Scripted("planted", WithTools("steal"))}
	c.File(folderFile, c.configuration("box"))
	return c
}

// configuration returns the configuration of the folder, with its server in a toolbox of that name.
func (c cloned) configuration(toolbox string) string {
	return `{"start":"connect",` + Configuration(NewToolbox(toolbox, c.planted))[1:]
}

// line is the text about the folder's file for hosts.
func (c cloned) line() string {
	return c.Path(folderFile) + " is not trusted, so it is not used; to see what it would run, and to trust it, the user can run `mcp-workbench trust " +
		c.Path(folderFile) + "`"
}

// userLine is the text about the folder's file for the user.
func (c cloned) userLine() string { return strings.Replace(c.line(), "the user can ", "", 1) }

// changedLine is the error once the file has changed.
func (c cloned) changedLine() string {
	return strings.Replace(c.line(), "not trusted", "not trusted (it changed since it was trusted)", 1)
}

// serve starts a workbench in the folder, and shakes hands.
func (c cloned) serve(args ...string) *Workbench {
	GinkgoHelper()
	w := Start(c.Launch(append([]string{"--log-level", "info"}, args...)...))
	w.Initialize()
	return w
}

// instructions returns the first line of the instructions for a host.
func (c cloned) instructions() string {
	GinkgoHelper()
	w := Start(c.Launch())
	first, _, _ := strings.Cut(instructionsOf(w), "\n")
	return first
}

func instructionsOf(w *Workbench) string {
	GinkgoHelper()
	var answer struct{ Instructions string }
	w.Request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}`).Decode(&answer)
	w.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return answer.Instructions
}

var _ = Describe("A configuration that came with the working folder", Label("TT01"), func() {
	var c cloned
	BeforeEach(func() { c = clone() })

	It("starts nothing when a host connects, and the user's own is used", func() {
		own := Scripted("own", WithTools("read"))
		c.File(OwnConfiguration, Configuration(NewToolbox("mine", own)))
		w := c.serve()

		Expect(w.Open("mine").Names()).To(Equal([]string{"read"}))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(Equal(
			"Error: Toolbox 'box' not found. Available toolboxes: mine\n" + c.line()))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("mcp-workbench: " + c.userLine() + "\n"))
		Expect(c.planted.Starts()).To(Equal(0))
	})

	It("leaves no toolboxes if the user has none", func() {
		w := Start(c.Launch())

		Expect(instructionsOf(w)).To(Equal(c.line() + "\n\n" + strings.Join([]string{
			"No toolboxes configured.", "", "To configure toolboxes, add them to your workbench-config.json file.",
			"See documentation for configuration format.",
		}, "\n")))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(Equal(
			"Error: Toolbox 'box' not found. Available toolboxes: none\n" + c.line()))
		Expect(w.End()).To(Equal(0))
		Expect(c.planted.Starts()).To(Equal(0))
	})

	It("is used by a host that names it, and by the user who trusts it", func() {
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))
		Expect(c.Run("trust", "--remove", c.Path(folderFile)).Code).To(Equal(0))
		Expect(c.instructions()).To(Equal(c.line()))

		Expect(Run(c.Launch("--config", "workbench-config.json", "list", "box")).Code).To(Equal(0))
		Expect(c.planted.Starts()).To(BeNumerically(">", 0))
	})

	It("is not trusted in another folder, nor with other bytes", func() {
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		c.File("other/workbench-config.json", c.Content(folderFile))
		elsewhere := c.Launch("list", "box")
		elsewhere.Dir = c.Path("other")
		Expect(Run(elsewhere).Code).To(Equal(2))

		c.File(folderFile, c.configuration("box")+" ")
		Expect(c.instructions()).To(Equal(c.changedLine()))
	})
})

var _ = Describe("A workbench that runs in a folder", Label("TT02"), func() {
	var c cloned
	BeforeEach(func() { c = clone() })

	It("uses the folder's configuration once it is trusted, and keeps the trusted one until a change is trusted", func() {
		w := c.serve()
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(HavePrefix("Error: Toolbox 'box' not found."))

		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		w.AwaitSent(ToolsListChanged, 1)
		Expect(w.Open("box").Names()).To(Equal([]string{"steal"}))

		ReplaceFile(c.Path(folderFile), c.configuration("worse"))
		w.AwaitSent(LogMessage, 2)
		Expect(w.Open("box").Warnings).To(ConsistOf(
			"the configuration changed and has a problem, for the user to correct, so the previous one is still in force: " + c.changedLine()))
		Expect(w.Call("open_toolbox", `{"toolbox":"worse"}`).Failure()).To(HaveSuffix("\n" + c.changedLine()))

		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		w.AwaitSent(ToolsListChanged, 2)
		Expect(w.Open("worse").Names()).To(Equal([]string{"steal"}))
		Expect(w.End()).To(Equal(0))
	})

	It("uses a file that the folder's configuration includes once it is trusted", func() {
		more := func(toolbox string) string {
			return Configuration(NewToolbox(toolbox, Scripted("more", WithTools("read"))))
		}
		c.File("work/more.json", more("more"))
		c.File(folderFile, `{"include":["./more.json"],`+c.configuration("box")[1:])
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		w := c.serve()
		Expect(w.Call("open_toolbox", `{"toolbox":"more"}`).Failure()).To(ContainSubstring("more.json is not trusted"))

		Expect(c.Run("trust", "--yes", c.Path("work/more.json")).Code).To(Equal(0))
		w.AwaitSent(ToolsListChanged, 1)
		Expect(w.Open("more").Names()).To(Equal([]string{"read"}))

		ReplaceFile(c.Path("work/more.json"), more("later"))
		w.AwaitSent(ToolsListChanged, 2)
		Expect(w.Call("open_toolbox", `{"toolbox":"later"}`).Failure()).To(ContainSubstring("more.json is not trusted"))
		Expect(c.Run("trust", "--yes", c.Path("work/more.json")).Code).To(Equal(0))
		w.AwaitSent(ToolsListChanged, 3)
		Expect(w.Open("later").Names()).To(Equal([]string{"read"}))
	})

	It("keeps its configuration when it is no longer trusted", func() {
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		w := c.serve()

		Expect(c.Run("trust", "--remove", ".").Code).To(Equal(0))
		w.AwaitSent(LogMessage, 1)

		Expect(w.Open("box").Warnings).To(ConsistOf(HaveSuffix("so the previous one is still in force: " + c.line())))
	})

	It("compares tools with the lock of the configuration that it took over", func() {
		w := c.serve()
		c.File("work/workbench.lock.json", `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{}}`)
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))

		w.AwaitSent(ToolsListChanged, 1)

		Expect(w.Open("box").Warnings).To(ContainElement(HavePrefix("Server 'planted' is not in workbench.lock.json (1 tool)")))
	})
})

var _ = Describe("A command that starts servers", Label("TT03"), func() {
	var c cloned
	BeforeEach(func() { c = clone() })

	DescribeTable("fails in a folder that is not trusted without a terminal if it would lose what is left out", func(args ...string) {
		outcome := c.Run(args...)

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(Equal("mcp-workbench: " + c.userLine() + "\n"))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(c.planted.Starts()).To(Equal(0))
	},
		Entry(nil, "lock"), Entry(nil, "lock", "--check"), Entry(nil, "connect", "cursor", "--yes"),
	)

	DescribeTable("uses what hosts use, and says so", func(code int, printed string, args ...string) {
		c.File(OwnConfiguration, Configuration(NewToolbox("mine", Scripted("files", WithTools("read")))))

		outcome := c.Run(args...)

		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stderr).To(HavePrefix("mcp-workbench: " + c.userLine() + "\n"))
		Expect(outcome.Stdout + outcome.Stderr).To(ContainSubstring(printed))
		Expect(c.planted.Starts()).To(Equal(0))
	},
		Entry(nil, 0, "read", "list", "mine"), Entry(nil, 2, "there is mine", "list", "box"),
		Entry(nil, 0, "done\n", "call", "mine/files/read"), Entry(nil, 2, "there is mine", "call", "box/planted/steal"),
		Entry(nil, 0, "no problems found (1 server", "doctor"), Entry(nil, 0, "no problems found (1 server", "doctor", "--offline"),
		Entry(nil, 0, "mine has no description", "describe", "mine"), Entry(nil, 1, "there is mine", "describe", "box"),
		Entry(nil, 2, "there is mine/files", "login", "box/planted"), Entry(nil, 2, "there is mine/files", "logout", "box/planted"),
	)

	It("shows the folder's configuration and asks, once for the same bytes", func() {
		first := RunInTerminal(c.Launch("list", "box"), Turn{Until: "Trust this file? [y/N]", Type: "y\r"})
		Expect(first.Code).To(Equal(0), first.Stdout)
		Expect(first.Stdout).To(And(ContainSubstring(c.userLine()), ContainSubstring("box/planted: "+ScriptedServer()), ContainSubstring("steal")))

		Expect(c.Run("call", "box/planted/steal").Stdout).To(Equal("done\n"))
	})

	It("starts nothing after another answer", func() {
		outcome := RunInTerminal(c.Launch("doctor"), Turn{Until: "Trust this file? [y/N]", Type: "\r"})

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(And(ContainSubstring("no configuration was found"), MatchRegexp(`^[^?]*Trust this file\?[^?]*$`)), "it asks once")
		outcome = RunInTerminal(c.Launch("lock"), Turn{Until: "Trust this file? [y/N]", Type: "\r"})
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(ContainSubstring("it is not trusted, and nothing was started"))
		Expect(c.planted.Starts()).To(Equal(0))
		Expect(c.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))
	})

	It("uses the bytes that were shown, even if the file has changed since", func() {
		other := Scripted("other", WithTools("worse"))
		t := OnTerminal(c.Launch("list", "box"), 500, nil)
		t.AwaitShown("Trust this file? [y/N]")
		ReplaceFile(c.Path(folderFile), Configuration(NewToolbox("box", other)))
		t.Type("y\r")

		Expect(t.End()).To(Equal(2))
		Expect(t.Shown()).To(ContainSubstring("it changed since it was trusted"))
		Expect(other.Starts() + c.planted.Starts()).To(Equal(0))
	})

	It("does not include those that only read: list shows what hosts use, and validate reads the file", func() {
		c.Configured(`{"mine": {"command": "x"}}`)
		c.File(folderFile, Configuration(NewToolbox("box", c.planted)))
		Expect(c.Run("list")).To(And(HaveField("Code", 0), HaveField("Stdout", And(ContainSubstring("\tmine\t"), Not(ContainSubstring("planted"))))))
		Expect(c.Run("validate")).To(And(HaveField("Code", 0), HaveField("Stdout", ContainSubstring("it is not trusted, so hosts do not get its toolboxes"))))
		Expect(c.planted.Starts()).To(Equal(0))
	})
})
