package hosts_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Plain secrets of hosts", func() {
	var home HomeFolder
	var store string
	BeforeEach(func() {
		home = NewHomeFolder()
		store = filepath.Join(string(home), "store")
		home.File("store/.gpg-id", "")
		home.File("store/pass", keepingPass)
		Expect(os.Chmod(filepath.Join(store, "pass"), 0o700)).To(Succeed())
		home.File(".cursor/mcp.json", `{"mcpServers": {
			"a": {"command": "true", "env": {"A_TOKEN": "hunter2-of-a", "B_TOKEN_BROKEN": "hunter2-of-b"}},
			"c": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer hunter2-of-c"}}}}`)
	})
	launch := func(words ...string) Launch {
		l := home.Launch(words...)
		l.Env = append(l.Env, "PATH="+store+":/usr/bin:/bin", "PASSWORD_STORE_DIR="+store, "DBUS_SESSION_BUS_ADDRESS=")
		return l
	}
	const question = "Keep 3 secrets in pass instead of the file: A_TOKEN, B_TOKEN_BROKEN, C_AUTHORIZATION? [y/N] "

	It("are moved to the password store of the system after one question, and stay if that fails", func() {
		outcome := RunInTerminal(launch("import", "cursor"), Turn{Until: question, Type: "y\r"}, Turn{Until: "[y/N] ", Type: "y\r"})

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring("B_TOKEN_BROKEN stays in the file: pass insert: exit status 3"))
		Expect(outcome.Stdout).NotTo(ContainSubstring("hunter2"))
		Expect(os.ReadFile(filepath.Join(store, "mcp-workbench", "A_TOKEN"))).To(BeEquivalentTo("hunter2-of-a\n"))
		Expect(os.ReadFile(filepath.Join(store, "mcp-workbench", "C_AUTHORIZATION"))).To(BeEquivalentTo("hunter2-of-c\n"))
		text := home.Content(".config/mcp-workbench/workbench-config.json")
		Expect(text).To(And(
			ContainSubstring(`"A_TOKEN": "${A_TOKEN}"`), ContainSubstring(`"Bearer ${C_AUTHORIZATION}"`), ContainSubstring("hunter2-of-b"),
			Not(ContainSubstring("hunter2-of-a")), Not(ContainSubstring("hunter2-of-c"))))
		Expect(text).To(MatchRegexp(`"A_TOKEN": \{\s*"command": \[\s*"pass",\s*"show",\s*"mcp-workbench/A_TOKEN"`))
		Expect(home.Run("validate").Code).To(Equal(0))

		again := Run(launch("import", "cursor", "--dry-run"))
		Expect(again.Stdout).To(ContainSubstring("nothing to import"), "secrets elsewhere are not compared")
	})

	It("are also moved for a server that is added", func() {
		outcome := RunInTerminal(launch("add", "d", "--env", "D_TOKEN=hunter2-of-d", "--", "true"),
			Turn{Until: "Keep 1 secret in pass instead of the file: D_TOKEN? [y/N] ", Type: "y\r"})

		Expect(outcome.Code).To(Equal(0))
		Expect(home.Content(".config/mcp-workbench/workbench-config.json")).To(And(
			ContainSubstring(`"D_TOKEN": "${D_TOKEN}"`), ContainSubstring(`"mcp-workbench/D_TOKEN"`), Not(ContainSubstring("hunter2"))))
		Expect(os.ReadFile(filepath.Join(store, "mcp-workbench", "D_TOKEN"))).To(BeEquivalentTo("hunter2-of-d\n"))
	})

	It("stay in the file after a no", func() {
		outcome := RunInTerminal(launch("import", "cursor"), Turn{Until: question, Type: "n\r"}, Turn{Until: "[y/N] ", Type: "y\r"})

		Expect(outcome.Code).To(Equal(0))
		Expect(home.Content(".config/mcp-workbench/workbench-config.json")).To(And(ContainSubstring("hunter2-of-a"), Not(ContainSubstring(`"secrets"`))))
		Expect(filepath.Join(store, "mcp-workbench")).NotTo(BeADirectory())
	})

	It("stay in the file if no question can be asked", func() {
		Expect(Run(launch("import", "cursor", "--yes")).Code).To(Equal(0))
		Expect(home.Content(".config/mcp-workbench/workbench-config.json")).NotTo(ContainSubstring(`"secrets"`))
		Expect(filepath.Join(store, "mcp-workbench")).NotTo(BeADirectory())
	})

	Context("in the configuration itself", func() {
		const configuration = ".config/mcp-workbench/workbench-config.json"
		var before string
		BeforeEach(func() {
			before = `{"toolboxes": {"dev": {"mcpServers": {
			// the first account
			"a": {"command": "true", "env": {"TOKEN": "hunter2-of-a", "MODE": "fast"}},
			"b": {"command": "true", "args": ["--token=hunter2-of-args"], "env": {"TOKEN": "hunter2-of-b"}},
			"c": {"disabled": true, "url": "https://h/mcp", "headers": {"Authorization": "Bearer hunter2-of-c"}}}}}}`
			home.File(configuration, before)
		})
		const question = "Keep 3 secrets in pass instead of the file: B_TOKEN, C_AUTHORIZATION, TOKEN? [y/N] "

		It("are moved by doctor --fix, each to a variable of its own", func() {
			outcome := RunInTerminal(launch("doctor", "--fix"), Turn{Until: question, Type: "y\r"}, Turn{Until: "[y/N] ", Type: "y\r"})

			Expect(outcome.Code).To(Equal(0))
			Expect(outcome.Stdout).To(And(ContainSubstring("an argument or the address of dev/b looks like a secret"),
				ContainSubstring("Moved 3 secrets to pass."), Not(ContainSubstring("hunter2"))))
			for name, value := range map[string]string{"TOKEN": "a", "B_TOKEN": "b", "C_AUTHORIZATION": "c"} {
				Expect(os.ReadFile(filepath.Join(store, "mcp-workbench", name))).To(BeEquivalentTo("hunter2-of-" + value + "\n"))
			}
			Expect(home.Content(configuration)).To(And(ContainSubstring("// the first account"), ContainSubstring(`"TOKEN": "${TOKEN}", "MODE": "fast"`),
				ContainSubstring(`"TOKEN": "${B_TOKEN}"`), ContainSubstring(`"Bearer ${C_AUTHORIZATION}"`), ContainSubstring(`"mcp-workbench/B_TOKEN"`)))
			Expect(home.Run("validate").Code).To(Equal(0))

			again := Run(launch("doctor", "--fix"))
			Expect(again.Code).To(Equal(0))
			Expect(again.Stdout).To(ContainSubstring("has no plain secrets in variables and headers"))
		})

		It("stay after a no to either question, if no question can be asked, and without a store", func() {
			RunInTerminal(launch("doctor", "--fix"), Turn{Until: question, Type: "n\r"})
			RunInTerminal(launch("doctor", "--fix"), Turn{Until: question, Type: "y\r"}, Turn{Until: "[y/N] ", Type: "n\r"})
			Expect(Run(launch("doctor", "--fix"))).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("no terminal to ask in"))))
			Expect(home.Run("doctor", "--fix")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("no password store that can be used"))))
			Expect(Run(launch("doctor", "--fix", "--json")).Code).To(Equal(2))
			Expect(home.Content(configuration)).To(Equal(before))
		})
	})
})
