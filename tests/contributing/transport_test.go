package contributing_test

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// The files that the last steps of "Adding a transport" name.
const (
	listOfTransports = "cmd/mcp-workbench/transports.go"
	featuresOver     = "tests/acceptance/using/modern_servers_test.go"
	topicOfKeys      = "cmd/mcp-workbench/help/configuration.md"
	reviewOfKeys     = "cmd/mcp-workbench/review_test.go"
)

// addTransport follows the steps to the list: the folder of the worked example, with its kit, becomes one of the kind "tcp",
// with a secret.
func addTransport(r repository) {
	GinkgoHelper()
	for _, file := range spec.Must(filepath.Glob(r.path("tests/contract/example/*.go"))) {
		text := r.read("tests/contract/example/" + filepath.Base(file))
		text = strings.ReplaceAll(text, "package example", "package tcp")
		text = strings.ReplaceAll(text, "mcp-workbench/tests/contract/example", "mcp-workbench/adapters/downstream/tcp")
		text = strings.ReplaceAll(text, "example.", "tcp.")
		r.write(path.Join("adapters/downstream/tcp", strings.ReplaceAll(filepath.Base(file), "example", "tcp")), []byte(text))
	}
	r.insert("adapters/downstream/tcp/transport.go", "form:\"any\"`\n", "	Pass    string `json:\"pass\" is:\"secret expanded\" form:\"any\"`\n")
	r.insert(listOfTransports, `		"sse":   older,`+"\n", `		"tcp":   tcp.New(identity, (&net.Dialer{}).DialContext, log),`+"\n")
	r.insert(listOfTransports, `	"log/slog"`+"\n", `	"net"`+"\n")
	r.insert(listOfTransports, `	"mcp-workbench/adapters/downstream/streamablehttp"`+"\n", `	"mcp-workbench/adapters/downstream/tcp"`+"\n")
	r.insert(featuresOver, `	{name: WebKinds[2].Name(), serve: WebKinds[2].Serve},`+"\n", `	{name: "tcp", serve: socket(Modern)},`+"\n")
	r.insert(featuresOver, `	"mcp-workbench/tests/fixtures/script"`+"\n", `	"mcp-workbench/tests/fixtures/sockets"`+"\n")
	r.insert(featuresOver, `	"os"`+"\n", `	"path/filepath"`+"\n")
	r.write(featuresOver, []byte(r.read(featuresOver)+`
// socket serves at an address.
func socket(e Era) func(script.Script, ...string) ReachedServer {
	return func(s script.Script, settings ...string) ReachedServer {
		s = e.Script(s)
		s.Journal = filepath.Join(GinkgoT().TempDir(), "journal")
		server := sockets.Start("tcp", "127.0.0.1:0", s)
		DeferCleanup(server.Close)
		return ReachedServer{
			Server: Reached("files", s.Journal, append(settings, `+"`\"transport\":\"tcp\"`, `\"address\":\"`+server.Address()+`\"`"+`)...),
			Crash:  func(*Workbench) { server.Cut() }, Open: server.Open,
		}
	}
}
`))
}

// describeTransport follows the last step.
func describeTransport(r repository) {
	GinkgoHelper()
	r.insert(topicOfKeys, "- `transport`: `stdio`, `http`", ", `tcp`")
	r.insert(topicOfKeys, "`false` turns logins off.\n", "\nKeys of `tcp`, a server at an address with one message a line:\n\n- `address`: string, required.\n  Its host and port. Nothing is started.\n- `pass`: string.\n  A secret.\n")
	r.insert(topicOfKeys, "`url`, `headers`, `tls`", ",\n`address`, `pass`")
	r.insert(reviewOfKeys, `			"plain": {"command": "v-plain"},`+"\n", `			"near": {"transport": "tcp", "address": "v-near:7000", "pass": "hidden-pass"},`+"\n")
	r.insert(reviewOfKeys, "var linesOf = map[string]string{\n", `	"server address": "box/near: v-near:7000", "server pass": "pass is \"•••\"",`+"\n")
}

var _ = Describe("A transport that follows the steps", Label("large"), func() {
	It("is whole: it is called, added, reviewed, masked and described", func(ctx SpecContext) {
		r := newRepository(ctx)
		Expect(steps("Adding a transport", r)).To(ConsistOf(listOfTransports, featuresOver, topicOfKeys, reviewOfKeys))
		addTransport(r)

		output, err := r.test("./cmd/mcp-workbench")
		Expect(err).To(HaveOccurred())
		Expect(output).To(And(ContainSubstring(topicOfKeys), ContainSubstring(reviewOfKeys)), "the specs name the files of the last step")

		describeTransport(r)
		output, err = r.test("./cmd/mcp-workbench", "./adapters/config/...", "./adapters/downstream/tcp")
		Expect(err).NotTo(HaveOccurred(), output)
		output, err = r.test("./tests/acceptance/using", "-ginkgo.focus", "over tcp")
		Expect(err).NotTo(HaveOccurred(), output)

		home := GinkgoT().TempDir()
		file := filepath.Join(home, "workbench-config.json")
		workbench := func(words ...string) string {
			GinkgoHelper()
			output, err := r.run([]string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home},
				r.path("bin/specs/"+spec.ProgramName("mcp-workbench")), append(words, "--config", file)...)
			Expect(err).NotTo(HaveOccurred(), output)
			return output
		}
		Expect(workbench("add", "near", "--transport", "tcp", "--set", "address=localhost:7000")).To(ContainSubstring("localhost:7000"))
		Expect(workbench("add-json", "far", `{"transport": "tcp", "address": "example.com:7000", "pass": "hunter2"}`)).
			To(And(ContainSubstring("example.com"), Not(ContainSubstring("hunter2"))))
		Expect(workbench("trust", file, "--yes")).To(And(ContainSubstring("near: localhost:7000"), ContainSubstring(`pass is "•••"`), Not(ContainSubstring("hunter2"))))
		Expect(workbench("schema")).To(And(ContainSubstring(`"tcp"`), ContainSubstring("Its host and port. Nothing is started.")))
		Expect(workbench("help", "configuration")).To(ContainSubstring("Keys of `tcp`"))
	}, SpecTimeout(time.Hour))
})
