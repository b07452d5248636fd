package http_test

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// listener is a workbench that listens on HTTP, and its callers.
type listener struct {
	*Workbench
	// url is the address of /mcp, and root that of everything else.
	url, root string
	client    *http.Client
}

var listeningAt = regexp.MustCompile(`listening on (https?://\S+)/mcp; (.*)\n`)

// killed is the exit code of a workbench that a spec killed.
const killed = -1

// listen starts a workbench that listens at a free local port, unless args give an address.
func listen(l Launch) *listener {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("Windows has no SIGTERM, which ends the program")
	}
	at := []string{"serve", "--http", "127.0.0.1:0", "--log-level", "info"}
	l.Args = append(at, l.Args...)
	w := Start(l)
	DeferCleanup(func() {
		select {
		case <-w.Ended(): // the spec ended it
		default:
			w.Signal(syscall.SIGTERM)
		}
		Expect(w.ExitCode()).To(Or(Equal(0), Equal(killed)))
	})
	Eventually(w.Stderr).WithTimeout(Patience).Should(MatchRegexp(listeningAt.String()))
	root := listeningAt.FindStringSubmatch(w.Stderr())[1]
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // the specs check the certificate
	DeferCleanup(transport.CloseIdleConnections)
	return &listener{Workbench: w, url: root + "/mcp", root: root, client: &http.Client{Transport: transport}}
}

// reply is the response to an HTTP request.
type reply struct {
	*http.Response
	text string
}

// message returns the answer, whether it came alone or at the end of a stream.
func (r reply) message() Message {
	GinkgoHelper()
	text := strings.TrimSpace(r.text)
	var m Message
	m.Line = strings.TrimPrefix(text[strings.LastIndex(text, "\n")+1:], "data: ")
	Expect(json.Unmarshal([]byte(m.Line), &m)).To(Succeed(), r.text)
	return m
}

// ask makes a request, and reads the response.
func (l *listener) ask(method, url, body string, headers ...string) reply {
	GinkgoHelper()
	response := l.begin(method, url, body, headers...)
	defer response.Body.Close()
	text := spec.Must(io.ReadAll(response.Body))
	return reply{Response: response, text: string(text)}
}

// begin makes a request, and returns the response with a body that is not read yet. Headers are
// pairs of name and value; "Host" sets the host of the request.
func (l *listener) begin(method, url, body string, headers ...string) *http.Response {
	GinkgoHelper()
	request := spec.Must(http.NewRequest(method, url, strings.NewReader(body)))
	if body == "" {
		request.Body = nil
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		} else {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	return spec.Must(l.client.Do(request))
}

// caller calls a workbench like hosts of an era.
type caller struct {
	*listener
	era     Era
	headers []string
	meta    string // members of the _meta of each request
}

// as returns a caller with a token, "" for none, after a handshake if the era has one, and the first
// answer of the workbench.
func (l *listener) as(era Era, token string) (*caller, reply) {
	GinkgoHelper()
	c := &caller{listener: l, era: era, headers: []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}}
	if token != "" {
		c.headers = append(c.headers, "Authorization", "Bearer "+token)
	}
	if era.Modern {
		return c, c.request("server/discover", "")
	}
	hello := c.ask(http.MethodPost, l.url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},`+
		`"clientInfo":{"name":"spec","version":"1"}}}`, c.headers...)
	if session := hello.Header.Get("Mcp-Session-Id"); session != "" {
		c.headers = append(c.headers, "Mcp-Session-Id", session)
	}
	return c, hello
}

// request makes a request with these members of the parameters.
func (c *caller) request(method, members string) reply {
	GinkgoHelper()
	body, headers := c.message(method, members)
	return c.ask(http.MethodPost, c.url, body, headers...)
}

// message returns the body and the headers of such a request.
func (c *caller) message(method, members string) (body string, headers []string) {
	headers = c.headers
	meta := c.meta
	if c.era.Modern {
		name := regexp.MustCompile(`"(?:name|uri)":"([^"]*)"`).FindStringSubmatch(members)
		headers = append(headers[:len(headers):len(headers)], "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
		if name != nil {
			headers = append(headers, "Mcp-Name", name[1])
		}
		meta = strings.TrimPrefix(meta+`,"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientInfo":{"name":"spec","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`, ",")
	}
	if meta != "" {
		members = strings.TrimPrefix(members+`,"_meta":{`+meta+"}", ",")
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":{%s}}`, method, members), headers
}

func (c *caller) open(toolbox string) reply {
	GinkgoHelper()
	return c.request("tools/call", `"name":"open_toolbox","arguments":{"toolbox":`+Quote(toolbox)+`}`)
}

func (c *caller) use(toolbox, server, tool string) reply {
	GinkgoHelper()
	return c.request("tools/call", fmt.Sprintf(`"name":"use_tool","arguments":{"tool":{"toolbox":%q,"server":%q,"tool":%q}}`, toolbox, server, tool))
}

var _ = Describe("Listening with wrong settings", Label("T01"), func() {
	DescribeTable("opens no port, serves no host in another way, and names the place of the mistake",
		func(environment []string, code int, message string, args ...string) {
			run := Run(Launch{Config: Configuration(), Args: append([]string{"serve"}, args...), Env: environment})

			Expect(run.Code).To(Equal(code))
			Expect(run.Stderr).To(ContainSubstring(message))
			Expect(run.Stderr).NotTo(ContainSubstring("listening"))
			Expect(run.Stdout).To(BeEmpty())
		},
		Entry("in the variable", []string{"WORKBENCH_HTTP=7345"}, 2, `WORKBENCH_HTTP "7345": want an address and a port`),
		Entry("in the flag", nil, 2, `--http "7345": want an address and a port`, "--http", "7345"),
		Entry("with an empty flag", nil, 2, `--http "": the value is empty`, "--http", ""),
		Entry("with half of a certificate",
			nil, 2, "--tls-cert and --tls-key go together", "--http", "127.0.0.1:0", "--tls-key", "tls.key"),
		Entry("without an address", nil, 2, "need --http or WORKBENCH_HTTP", "--allow-host", "mcp.test"),
	)

	It("at every address of version 4 does not listen at addresses of version 6", Label("TH09"), func() {
		config := WithHTTP(`{"tokens": {"me": {"value": "a-token-that-is-let-in", "toolboxes": ["*"]}}}`)

		l := listen(Launch{Config: config, Args: []string{"--http", "0.0.0.0:0"}})

		Expect(l.Stderr()).To(ContainSubstring("listening on http://0.0.0.0:"))
		_, port, err := net.SplitHostPort(strings.TrimPrefix(l.root, "http://"))
		Expect(err).NotTo(HaveOccurred())
		_, err = net.Dial("tcp", net.JoinHostPort("::1", port))
		Expect(err).To(HaveOccurred())
	})

	It("is found by doctor when a token has no value, with the variable to set", func() {
		config := WithHTTP(`{"tokens": {"ci": {"value": "ci-${CI_SUFFIX}", "toolboxes": ["*"]}}}`, NewToolbox("build", Scripted("make", script.Script{})))

		run := Run(Launch{Config: config, Args: []string{"doctor", "--offline"}, Env: []string{"CI_SUFFIX="}})

		Expect(run.Stdout).To(ContainSubstring("D004"))
		Expect(run.Stdout).To(ContainSubstring("environment variable 'CI_SUFFIX' is empty, so this token gives no access\n     set CI_SUFFIX where 'serve --http' is started"))
		Expect(run.Stdout).NotTo(ContainSubstring("D005"))
	})
})
