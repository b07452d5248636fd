package http_test

import (
	"bufio"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// realProxy is a proxy whose configuration is in the topic team.
type realProxy struct {
	program, language string
	// local are replacements with which its configuration listens without a certificate, at PORT
	// on this machine, and before and after surround it.
	local         []string
	before, after string
	args          []string
}

// skipWithout skips a spec if a program is not installed.
func skipWithout(program string) {
	GinkgoHelper()
	if _, err := exec.LookPath(program); err != nil {
		Skip(program + " is not installed")
	}
}

// start runs the proxy in front of a workbench and returns its address.
func (p realProxy) start(workbench string) (url string) {
	GinkgoHelper()
	skipWithout(p.program)
	topic := spec.Must(os.ReadFile("../../../cmd/mcp-workbench/help/team.md"))
	block := regexp.MustCompile("(?s)```" + p.language + "\n(.*?)```").FindSubmatch(topic)
	Expect(block).NotTo(BeNil())
	replace := append(p.local, "127.0.0.1:7345", strings.TrimPrefix(workbench, "http://"))
	return runProxy(p.program, p.before+strings.NewReplacer(replace...).Replace(string(block[1]))+p.after, p.args...).url
}

// runningProxy is a proxy that a spec started.
type runningProxy struct {
	// home is its folder, and file its configuration.
	url, home, file string
	process         *os.Process
}

// runProxy runs an installed proxy with a configuration, in which ADDRESS, PORT and HOME are
// replaced. The configuration is the last argument.
func runProxy(program, text string, args ...string) runningProxy {
	GinkgoHelper()
	address, home := freeAddress(), GinkgoT().TempDir()
	text = strings.NewReplacer("ADDRESS", address, "PORT", strings.TrimPrefix(address, "127.0.0.1:"), "HOME", home).Replace(text)
	file := filepath.Join(home, filepath.Base(program)+".conf")
	WriteFile(file, text)
	command := exec.Command(program, append(args, file)...)
	command.Dir, command.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	command.Stdout, command.Stderr = GinkgoWriter, GinkgoWriter
	Expect(command.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM) // it may have ended on its own, which the spec shows
		kill := time.AfterFunc(Patience, func() { _ = command.Process.Kill() })
		defer kill.Stop()
		_ = command.Wait() // its code does not matter
	})
	Eventually(func() error {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			err = connection.Close()
		}
		return err
	}).WithTimeout(Patience).Should(Succeed())
	return runningProxy{url: "http://" + address, home: home, file: file, process: command.Process}
}

// freeAddress returns an unused address on this machine.
func freeAddress() string {
	GinkgoHelper()
	free := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
	address := free.Addr().String()
	Expect(free.Close()).To(Succeed())
	return address
}

var _ = Describe("A workbench behind a proxy, as the topic configures it", func() {
	const token = "a-token-that-is-let-in"

	DescribeTable("gets large bodies and tokens, and passes on each event as it comes", func(proxy realProxy) {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		server := countingServer(gate)
		l := listen(Launch{
			Args:   []string{"--allow-host", "mcp.example.com"},
			Config: WithHTTP(`{"tokens": {"me": {"value": "`+token+`", "toolboxes": ["*"]}}}`, InDev(Scripted("files", server))),
		})
		l.url = proxy.start(l.root) + "/mcp"
		named := []string{"Host", "mcp.example.com", "Content-Type", "application/json"}
		Expect(l.ask(http.MethodPost, l.url, `{}`, named...).StatusCode).To(Equal(401))

		c := &caller{listener: l, era: Older, headers: append(named, "Accept", "application/json, text/event-stream", "Authorization", "Bearer "+token)}
		hello := c.request("initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}`)
		c.headers = append(c.headers, "Mcp-Session-Id", hello.Header.Get("Mcp-Session-Id"))
		Expect(c.open("dev").message().Result).NotTo(BeEmpty())
		body := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev",` +
			`"server":"files","tool":"wait"},"arguments":{"text":"` + strings.Repeat("x", 3<<20) + `"}},"_meta":{"progressToken":"p"}}}`
		request := spec.Must(http.NewRequest(http.MethodPost, l.url, strings.NewReader(body)))
		for i := 0; i < len(c.headers); i += 2 {
			request.Header.Set(c.headers[i], c.headers[i+1])
		}
		request.Host = "mcp.example.com"
		response := spec.Must(l.client.Do(request))
		defer response.Body.Close()
		Expect(response.StatusCode).To(Equal(200))
		events := bufio.NewScanner(response.Body)
		next := func(text string) {
			GinkgoHelper()
			for events.Scan() {
				if strings.Contains(events.Text(), text) {
					return
				}
			}
			Fail("the stream ended without " + text)
		}
		next("notifications/progress")
		WriteFile(gate, "")
		next("waited")
	},
		Entry("nginx", realProxy{
			program: "nginx", language: "nginx", args: []string{"-e", "stderr", "-c"},
			local:  []string{"443 ssl", "ADDRESS", "    ssl_certificate /etc/ssl/mcp.crt;\n", "", "    ssl_certificate_key /etc/ssl/mcp.key;\n", ""},
			before: "user root; daemon off; pid HOME/pid; error_log stderr; events {}\nhttp {\naccess_log off; client_body_temp_path HOME/1; proxy_temp_path HOME/2;\nfastcgi_temp_path HOME/3; uwsgi_temp_path HOME/4; scgi_temp_path HOME/5;\n",
			after:  "}\n",
		}),
		Entry("Caddy", realProxy{
			program: "caddy", language: "caddyfile", args: []string{"run", "--adapter", "caddyfile", "--config"},
			local: []string{"mcp.example.com {", "http://mcp.example.com:PORT {\n\tbind 127.0.0.1"}, before: "{\n\tadmin off\n}\n",
		}),
		Entry("HAProxy", realProxy{
			program: "haproxy", language: "haproxy", args: []string{"-db", "-f"},
			local: []string{":443 ssl crt /etc/ssl/mcp.pem", "ADDRESS"},
		}),
	)
})
