package windows_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// telling is a server whose tool answers with the arguments of its program.
var telling = script.Script{
	Tools: []string{script.Tool("arguments")},
	Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{{Argv: true}}}},
}

// arguments is the setting args.
func arguments(args ...string) string {
	GinkgoHelper()
	text := spec.Must(json.Marshal(args))
	return `"args":` + string(text)
}

// received returns the last arguments of the only server of a toolbox.
func received(server Server, count int) []string {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", server))
	Expect(w.Open("dev").Errors).To(BeEmpty())
	var args []string
	Expect(json.Unmarshal([]byte(w.Use("dev", server.Name, "arguments", "{}").Text()), &args)).To(Succeed())
	Expect(len(args)).To(BeNumerically(">=", count))
	return args[len(args)-count:]
}

var _ = Describe("A server behind a batch file", func() {
	It("gets every argument whole, and runs none of them", func() {
		canary := filepath.Join(GinkgoT().TempDir(), "canary")
		odd := []string{
			"plain", "", "a b", "x&echo y>" + canary, "x|y", "<in", ">" + canary, "^a", "!a!", "(a)", "a=b,c;d", `C:\a b\`, `a\\b`, "é", "'", "`id`", "*",
		}

		Expect(received(batchOf("batch", telling, arguments(odd...)), len(odd))).To(Equal(odd))

		Expect(canary).NotTo(BeAnExistingFile())
	})

	DescribeTable("is not started with an argument that no quoting protects",
		func(argument, why string) {
			w := Serve(NewToolbox("dev", batchOf("batch", telling, arguments("fine", argument))))

			Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(ContainSubstring("argument 2 contains " + why))
		},
		Entry("a variable", "100%PATH%", "a percent sign"),
		Entry("a quote before a command", `b c"&echo injected`, "a double quote"),
		Entry("a line break", "a\nb", "a line break"),
	)

	It("is started by Node when the batch file is npx, with any argument", func() {
		folder := GinkgoT().TempDir()
		bin := filepath.Join(folder, "node_modules", "npm", "bin")
		Expect(os.MkdirAll(bin, 0o700)).To(Succeed())
		node := spec.Must(os.ReadFile(ScriptedServer()))
		Expect(os.WriteFile(filepath.Join(folder, "node.exe"), node, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, "npx.cmd"), []byte("@exit 7\r\n"), 0o600)).To(Succeed())
		Expect(telling.Save(filepath.Join(bin, "npx-cli.js"))).To(Succeed())
		odd := []string{"-y", "server", "100%PATH%", `b c"&echo injected`, "a\nb"}

		Expect(received(Program("npx", "npx", `"env":{"PATH":`+Quote(folder)+`}`, arguments(odd...)), len(odd))).To(Equal(odd))
	})
})
