package http_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// children returns the processes that a process started and that have not ended.
func children(pid int) []int {
	GinkgoHelper()
	text := spec.Must(os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)))
	var found []int
	for field := range strings.FieldsSeq(string(text)) {
		child := spec.Must(strconv.Atoi(field))
		found = append(found, child)
	}
	return found
}

// busyHost is a host that calls a tool again and again, and follows the protocol.
type busyHost struct {
	caller *caller
	token  string
	done   atomic.Int64
}

// run makes calls until the end. A host whose session is gone (404) begins a new one.
func (h *busyHost) run(front *listener, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		default:
		}
		answer := h.caller.use("dev", "files", "read")
		if answer.StatusCode == http.StatusNotFound && !h.caller.era.Modern {
			h.begin(front)
			continue
		}
		Expect(answer.StatusCode).To(Equal(200), answer.text)
		Expect(answer.text).To(ContainSubstring("done"))
		h.done.Add(1)
	}
}

// begin makes a handshake and opens the toolbox, and begins again if its process is taken out in between.
func (h *busyHost) begin(front *listener) {
	GinkgoHelper()
	for {
		c, hello := front.as(h.caller.era, h.token)
		Expect(hello.StatusCode).To(Equal(200), hello.text)
		answer := c.open("dev")
		if answer.StatusCode == http.StatusNotFound && !c.era.Modern {
			continue
		}
		Expect(answer.StatusCode).To(Equal(200), answer.text)
		h.caller = c
		return
	}
}

var _ = Describe("Three processes behind a balancer, with the file of cmd/release/deploy", Label("M08", "balancers"), func() {
	tokens := []string{"token-of-ann-that-is-long", "token-of-bob-that-is-long", "token-of-eve-that-is-long"}
	var access []string
	for i, token := range tokens {
		access = append(access, fmt.Sprintf(`"user%d": {"value": %q, "toolboxes": ["*"]}`, i, token))
	}
	var server Server
	var config, gate string
	BeforeEach(func() {
		gate = filepath.Join(GinkgoT().TempDir(), "gate")
		server = Scripted("files", countingServer(gate))
		config = WithHTTP(`{"tokens": {`+strings.Join(access, ",")+`}, "maxSessionsPerIdentity": 64}`, InDev(server))
	})

	// updates starts the processes, and restarts each of them while hosts make calls. It checks that no call was
	// lost or sent twice.
	updates := func(b realBalancer, config string, end func(set *balanced, name string, resume func())) {
		GinkgoHelper()
		set := b.start(config)
		var hosts []*busyHost
		for _, era := range []Era{Older, Modern} {
			for _, token := range tokens {
				h := &busyHost{caller: &caller{era: era}, token: token}
				h.begin(set.listener)
				hosts = append(hosts, h)
			}
		}
		ended := make(chan struct{})
		endHosts := sync.OnceFunc(func() { close(ended) })
		defer endHosts()
		var running sync.WaitGroup
		for _, h := range hosts {
			running.Go(func() {
				defer GinkgoRecover()
				h.run(set.listener, ended)
			})
		}
		resume := func() {
			GinkgoHelper()
			for _, h := range hosts {
				Eventually(h.done.Load).WithTimeout(Patience).Should(BeNumerically(">", h.done.Load()+1))
			}
		}
		for _, name := range []string{"a", "b", "c"} {
			resume()
			end(set, name, resume)
			set.hostAt(name, tokens[0])
		}
		resume()
		endHosts()
		running.Wait()

		calls := 0
		for _, h := range hosts {
			calls += int(h.done.Load())
		}
		Expect(server.CallsOf("read")).To(HaveLen(calls), "no call was sent twice, and none was lost")
		AddReportEntry("calls", calls)
	}

	DescribeTable("lose no call in a rolling update under load", func(b realBalancer) {
		updates(b, config, func(set *balanced, name string, resume func()) {
			b.takeOut(set.running, name, set.addresses[name])
			resume()
			set.processes[name].Signal(syscall.SIGTERM)
			Expect(set.processes[name].ExitCode()).To(Equal(0))
			set.begin(name)
			b.putBack(set.running, name, set.addresses[name])
		})
	},
		Entry("HAProxy", haproxy),
		Entry("nginx", nginx),
	)

	It("lose no call when each is restarted with http.drain, which HAProxy notices on its own", func() {
		draining := strings.Replace(config, `"maxSessionsPerIdentity"`, `"drain": "8s", "maxSessionsPerIdentity"`, 1)
		updates(haproxy, draining, func(set *balanced, name string, resume func()) {
			waiting := set.hostAt(name, tokens[0])
			waiting.open("dev")
			begun, waited := len(server.CallsOf("wait")), make(chan string, 1)
			go func() {
				defer GinkgoRecover()
				waited <- waiting.use("dev", "files", "wait").text
			}()
			Eventually(func() int { return len(server.CallsOf("wait")) }).WithTimeout(Patience).Should(Equal(begun + 1))
			set.processes[name].Signal(syscall.SIGTERM)
			resume()
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			Eventually(waited).WithTimeout(Patience).Should(Receive(ContainSubstring("waited")), "what is under way is answered")
			Expect(os.Remove(gate)).To(Succeed())
			Expect(set.processes[name].ExitCode()).To(Equal(0))
			set.begin(name)
		})
	})

	DescribeTable("cost older hosts a handshake when one is killed, and hosts of 2026-07-28 nothing", func(b realBalancer) {
		set := b.start(config)
		older := map[string]*caller{}
		for _, name := range []string{"a", "b", "c"} {
			older[name] = set.hostAt(name, tokens[0])
			older[name].open("dev")
			Expect(older[name].use("dev", "files", "read").text).To(ContainSubstring("done"))
		}
		var modern []*caller
		for _, token := range tokens {
			c, _ := set.as(Modern, token)
			Expect(c.use("dev", "files", "read").text).To(ContainSubstring("done"))
			modern = append(modern, c)
		}

		set.processes["b"].Signal(syscall.SIGKILL)
		Expect(set.processes["b"].ExitCode()).To(Equal(killed))

		for _, c := range modern {
			answer := c.use("dev", "files", "read")
			Expect(answer.StatusCode).To(Equal(200), answer.text)
			Expect(answer.text).To(ContainSubstring("done"))
		}
		for _, name := range []string{"a", "c"} {
			Expect(older[name].use("dev", "files", "read").text).To(ContainSubstring("done"), "its process goes on")
		}
		Expect(older["b"].use("dev", "files", "read").StatusCode).To(Equal(404))
		again, hello := set.as(Older, tokens[0])
		Expect(hello.StatusCode).To(Equal(200), hello.text)
		again.open("dev")
		Expect(again.use("dev", "files", "read").text).To(ContainSubstring("done"))
	},
		Entry("HAProxy", haproxy),
		Entry("nginx", nginx),
	)

	DescribeTable("keep each host at its process", func(b realBalancer) {
		set := b.start(config)
		for _, era := range []Era{Older, Modern} {
			for _, token := range tokens {
				starts := server.Starts()
				c, _ := set.as(era, token)
				c.open("dev")
				for range 6 {
					Expect(c.use("dev", "files", "read").text).To(ContainSubstring("done"))
				}
				Expect(server.Starts()).To(Equal(starts+1), "one process has its servers")
			}
		}
	},
		Entry("HAProxy", haproxy),
		Entry("nginx", nginx),
	)
})

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
