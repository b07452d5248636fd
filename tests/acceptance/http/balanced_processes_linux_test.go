package http_test

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// realBalancer is a balancer whose configuration is in cmd/release/deploy.
type realBalancer struct {
	program, file string
	// local are replacements with which it listens without a certificate, at ADDRESS on this
	// machine, and before and after surround it.
	local         []string
	before, after string
	args          []string
	// takeOut takes a process out of a running balancer, and putBack puts it back, as the balancer's file says.
	takeOut, putBack func(running runningProxy, name, address string)
}

// inHAProxy returns a function that sets the state of a process.
func inHAProxy(state string) func(runningProxy, string, string) {
	return func(running runningProxy, name, _ string) {
		GinkgoHelper()
		connection := spec.Must(net.Dial("unix", filepath.Join(running.home, "admin.sock")))
		defer connection.Close()
		Expect(connection.Write([]byte("set server workbench/" + name + " state " + state + "\n"))).Error().NotTo(HaveOccurred())
		answer := make([]byte, 100)
		read, _ := connection.Read(answer) // it closes the connection
		Expect(strings.TrimSpace(string(answer[:read]))).To(BeEmpty())
	}
}

// inNginx returns a function that changes the configuration and makes nginx read it again.
func inNginx(change func(text, address string) string) func(runningProxy, string, string) {
	return func(running runningProxy, _, address string) {
		GinkgoHelper()
		text := spec.Must(os.ReadFile(running.file))
		Expect(os.WriteFile(running.file, []byte(change(string(text), address)), 0o600)).To(Succeed())
		workers := children(running.process.Pid)
		Expect(running.process.Signal(syscall.SIGHUP)).To(Succeed())
		Eventually(func() []int { return children(running.process.Pid) }).WithTimeout(Patience).ShouldNot(ContainElements(workers),
			"the workers with the old configuration have ended")
	}
}

var haproxy = realBalancer{
	program: "haproxy", file: "haproxy.cfg", args: []string{"-db", "-f"},
	local:   []string{":443 ssl crt /etc/ssl/mcp.pem", "ADDRESS", "/run/haproxy/", "HOME/"},
	takeOut: inHAProxy("maint"), putBack: inHAProxy("ready"),
}

var nginx = realBalancer{
	program: "nginx", file: "nginx.conf", args: []string{"-e", "stderr", "-c"},
	local:  []string{"443 ssl", "ADDRESS", "    ssl_certificate /etc/ssl/mcp.crt;\n", "", "    ssl_certificate_key /etc/ssl/mcp.key;\n", ""},
	before: "user root; daemon off; pid HOME/pid; error_log stderr; events {}\nhttp {\naccess_log off; client_body_temp_path HOME/1; proxy_temp_path HOME/2;\nfastcgi_temp_path HOME/3; uwsgi_temp_path HOME/4; scgi_temp_path HOME/5;\n",
	after:  "}\n",
	takeOut: inNginx(func(text, address string) string {
		for _, settings := range []string{" max_fails=1 fail_timeout=2s;", " backup;"} {
			text = strings.ReplaceAll(text, "server "+address+settings, "server "+address+" down"+settings)
		}
		return text
	}),
	putBack: inNginx(func(text, address string) string {
		return strings.ReplaceAll(text, "server "+address+" down", "server "+address)
	}),
}

// balanced is three processes behind a balancer, by their names in its configuration.
type balanced struct {
	realBalancer
	*listener
	running   runningProxy
	launch    Launch
	addresses map[string]string
	processes map[string]*listener
}

// start starts the processes of a configuration and the balancer.
func (b realBalancer) start(config string) *balanced {
	GinkgoHelper()
	skipWithout(b.program)
	text := spec.Must(os.ReadFile(filepath.Join("..", "..", "..", "cmd", "release", "deploy", b.file)))
	set := &balanced{realBalancer: b, launch: Launch{Config: config}, addresses: map[string]string{}, processes: map[string]*listener{}}
	replace := b.local
	for name, documented := range map[string]string{"a": "10.0.0.11:7345", "b": "10.0.0.12:7345", "c": "10.0.0.13:7345"} {
		set.addresses[name] = freeAddress()
		quoted := func(address string) string { return strings.ReplaceAll(address, ".", `\.`) }
		replace = append(replace, documented, set.addresses[name], quoted(documented), quoted(set.addresses[name]))
		set.begin(name)
	}
	set.running = runProxy(b.program, b.before+strings.NewReplacer(replace...).Replace(string(text))+b.after, b.args...)
	set.listener = &listener{
		Workbench: set.processes["a"].Workbench, root: set.running.url, url: set.running.url + "/mcp",
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	return set
}

// begin starts a process at its address.
func (b *balanced) begin(name string) {
	GinkgoHelper()
	launch := b.launch
	launch.Args = []string{"--http", b.addresses[name]}
	b.processes[name] = listen(launch)
}

// hostAt returns a host with a handshake whose session is at a process.
func (b *balanced) hostAt(name, token string) *caller {
	GinkgoHelper()
	var found *caller
	Eventually(func() string {
		c, hello := b.as(Older, token)
		Expect(hello.StatusCode).To(Equal(200), hello.text)
		found = c
		if c.process() != name {
			Expect(c.ask(http.MethodDelete, c.url, "", c.headers...).StatusCode).To(BeNumerically("<", 300))
		}
		return c.process()
	}).WithTimeout(Patience).Should(Equal(name))
	return found
}

// process returns the name of the process that has the session of a caller.
func (c *caller) process() string {
	for i, header := range c.headers {
		if header == "Mcp-Session-Id" {
			id := c.headers[i+1]
			return id[strings.LastIndex(id, ".")+1:]
		}
	}
	return ""
}
