package trust_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// hostile are names that some shell does not treat as a plain word.
var hostile = []string{
	"x$(touch RAN)", "x$(touch RAN)b", "x`touch RAN`", "x(touch RAN)", "x;touch RAN", "x&touch RAN", "x|touch RAN", "x>RAN", "x\ntouch RAN", "x y", "x'", `x"`, `x\`,
	"x{a,b}", "x*", "x[1]", "x~", "x!", "x#", "x$HOME", "x%d", "x^", "x=1", "x?", "x,", "x\u202e", ":4", "_activeHelp_ x", "-x",
	"y\t$(touch RAN)1", "y\t$(touch RAN)2",
}

// bashCompletion is the file with the functions that the script for bash needs.
const bashCompletion = "/usr/share/bash-completion/bash_completion"

var _ = Describe("Completing names that a shell would run", Label("TT08"), func() {
	completed := func(c cloned, words ...string) []string {
		GinkgoHelper()
		outcome := c.Run(append([]string{"__complete"}, words...)...)
		Expect(outcome.Code).To(Equal(0))
		return strings.Split(outcome.Stdout, "\n")
	}

	It("offers only names of letters, digits and characters of paths", Label("TT08"), func() {
		c := clone()
		names := []string{"x-_.@+1", "größe", "x"}
		toolboxes := make([]Toolbox, 0, len(hostile)+len(names))
		for _, name := range append(append([]string{}, hostile...), names...) {
			if strings.ContainsAny(name, "\n\t\u202e") {
				continue // the configuration has no such names, but servers may
			}
			toolbox := NewToolbox(name, Program("s", "c"), Program("s$(id)", "c"))
			toolbox.Description = "a\tb\n:4\x1b[2J"
			toolboxes = append(toolboxes, toolbox)
		}
		c.File(folderFile, Configuration(toolboxes...))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))

		Expect(completed(c, "list", "")).To(HaveExactElements(
			`x-_.@+1/	a\tb\n:4\u001b[2J`, `größe/	a\tb\n:4\u001b[2J`, `x/	a\tb\n:4\u001b[2J`, ":6", ""))
		Expect(completed(c, "list", "x/")).To(HaveExactElements(HavePrefix("x-_.@+1/"), HavePrefix("größe/"), "x/s", ":4", ""))
		Expect(completed(c, "login", "x;touch RAN/")).NotTo(ContainElement(ContainSubstring("RAN")))
	})

	It("offers no tool with a hostile name", func() {
		c := clone()
		c.planted = Scripted("planted", WithTools(append([]string{"read"}, hostile...)...))
		c.File(folderFile, c.configuration("box"))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		Expect(c.Run("list", "box").Code).To(Equal(0))

		Expect(completed(c, "call", "box/planted/")).To(HaveExactElements("box/planted/", "box/planted/read", "box/planted/-x", ":6", ""))
	})

	It("offers nothing from a folder that is not trusted", Label("TT01"), func() {
		c := clone()
		c.File(OwnConfiguration, Configuration(NewToolbox("mine", Program("s", "c"))))

		Expect(completed(c, "list", "")).To(HaveExactElements("mine/", ":6", ""))
		Expect(completed(c, "call", "box/")).NotTo(ContainElement(ContainSubstring("planted")))
	})

	DescribeTable("runs nothing in a shell", func(name string, load string, args ...string) {
		shell, err := exec.LookPath(name)
		if err != nil {
			Skip(name + " is not installed")
		}
		if _, err := os.Stat(bashCompletion); name == "bash" && err != nil {
			Skip("completion in bash needs " + bashCompletion + ", which is not installed")
		}
		c := clone()
		c.planted = Scripted("planted", WithTools("read_$(touch RAN)_file", "read_$(touch RAN)_text", "fish_(touch RAN)_a", "readable",
			"yes\t$(touch RAN)1", "yes\t$(touch RAN)2"))
		boxes := []Toolbox{NewToolbox("x$(touch RAN)", c.planted), NewToolbox("x$(touch RAN)b", c.planted), NewToolbox("good", c.planted)}
		c.File(folderFile, Configuration(boxes...))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		Expect(c.Run("list", "good").Code).To(Equal(0))
		Expect(os.Mkdir(c.Path("bin"), 0o700)).To(Succeed())
		Expect(os.Symlink(BuiltWorkbench(), c.Path("bin/mcp-workbench"))).To(Succeed())
		launch := c.Launch(args...)
		launch.Program = shell
		launch.Env = append(launch.Env, "PATH="+c.Path("bin")+":"+os.Getenv("PATH"), "INPUTRC=/dev/null")
		c.File("load", load)
		t := OnTerminal(launch, 200, nil)

		t.Type(". " + c.Path("load") + "; echo load''ed\r")
		t.AwaitShown("loaded")
		for i, begun := range []string{"list x\t\t", "call good/planted/re\t\t", "call good/planted/fi\t\t --\t"} {
			t.Type("mcp-workbench " + begun + "\x15echo do''ne" + string(rune('0'+i)) + "\r")
			t.AwaitShown("done" + string(rune('0'+i)))
		}

		// Bash shows descriptions after the names that it offers, and completes their common prefix on the line.
		t.Type("mcp-workbench call good/planted/ye\t")
		t.Type("\x15echo do''ne3\r")
		t.AwaitShown("done3")
		Expect(t.Shown()).NotTo(ContainSubstring("(touch RAN)"))
		t.Type("mcp-workbench call good/planted/rea\t\r")
		t.AwaitShown("done\n") // so completion works at all
		Expect(filepath.Join(c.Path("work"), "RAN")).NotTo(BeAnExistingFile())
		t.Type("exit\r")
		t.End()
	},
		Entry(nil, "bash", ". "+bashCompletion+"; source <(mcp-workbench completion bash)\n", "--norc", "-i"),
		Entry(nil, "fish", "mcp-workbench completion fish | source\n", "--no-config", "-i"),
		Entry(nil, "zsh", "autoload -Uz compinit; compinit -u -D; source <(mcp-workbench completion zsh)\n", "-f", "-i"),
	)
})
