package application_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that is added while the workbench runs", func() {
	// program returns the server "files" with these settings of its transport.
	program := func(raw string, changes ...func(*domain.Server)) func(*domain.Server) {
		return func(s *domain.Server) {
			s.Transport = "stdio"
			settings(raw)(s)
			for _, change := range changes {
				change(s)
			}
		}
	}
	const a = `{"command":"npx","args":["-y","@db/a","/data"]}`
	dev := func(change func(*domain.Server)) domain.Toolbox {
		return withServer(toolbox("dev", "files"), "files", change)
	}
	// admitted returns the server "x" of the toolbox "new" after it was read, and the reports.
	admitted := func(t *testing.T, policy func(*application.Configuration), started domain.Toolbox, change func(*domain.Server)) (domain.Server, string) {
		start, read := configurationOf(started), configurationOf(started, withServer(toolbox("new", "x"), "x", change))
		policy(&start)
		policy(&read)
		w := startReloading(t, start)
		w.reads(read)
		w.reads(read) // the configuration in force is compared with itself too
		toolbox := spec.Must(w.current.Toolbox("new"))
		return toolbox.Servers[0], w.watcher.texts()[0]
	}
	anything := func(*application.Configuration) {}
	blocks := func(c *application.Configuration) { c.Pinning = domain.PinBlock }
	onlyLocked := func(c *application.Configuration) { c.Packages = domain.PackagesLocked }
	needsYes := func(s domain.Server, tool string) bool { return s.NeedsYes(domain.ToolInfo{Name: tool, Shown: tool}) }

	Context("with the program or address of a known server", Label("TP05"), func() {
		DescribeTable("has at least its protections", func(raw, again string) {
			spec.InBubble(func(t *testing.T) {
				server, _ := admitted(t, anything, dev(program(raw, approved(domain.Approvals{Confirm: tools("wipe")}))), program(again))
				Expect(needsYes(server, "wipe")).To(BeTrue())
			})()
		},
			Entry("with the same settings", a, a),
			Entry("with other flags", a, `{"command":"npx","args":["--yes","@db/a","/data","--verbose"]}`),
			Entry("in another version", a, `{"command":"npx","args":["-y","@db/a@2.0.0","/data"]}`),
			Entry("with more arguments", a, `{"command":"npx","args":["-y","@db/a","/data","/"]}`),
			Entry("with fewer arguments", a, `{"command":"npx","args":["-y","@db/a"]}`),
			Entry("by its path", a, `{"command":"/usr/bin/npx","args":["-y","@db/a","/data"]}`),
			Entry("as Windows finds it", a, `{"command":"C:\\node\\NPX.cmd","args":["-y","@db/a","/data"]}`),
			Entry("with other variables, in another folder", a, `{"command":"npx","args":["-y","@db/a","/data"],"env":{"NODE_OPTIONS":"x"},"cwd":"/"}`),
			Entry("a URL in another case", `{"url":"https://a.example/mcp"}`, `{"url":"https://A.example:443/mcp/"}`),
			Entry("a URL with a query and a user", `{"url":"https://a.example/mcp"}`, `{"url":"https://me@a.example/mcp?x=1#y"}`),
			Entry("a URL with a dot", `{"url":"https://a.example/mcp"}`, `{"url":"https://a.example./x/../mcp"}`),
		)

		DescribeTable("does not have the protections of other servers", func(raw, again string) {
			spec.InBubble(func(t *testing.T) {
				server, warning := admitted(t, anything, dev(program(raw, approved(domain.Approvals{Confirm: tools("wipe")}))), program(again))
				Expect(needsYes(server, "wipe")).To(BeFalse())
				Expect(warning).To(Equal("the configuration was read again: toolboxes added: new"))
			})()
		},
			Entry("another package", a, `{"command":"npx","args":["-y","@db/b","/data"]}`),
			Entry("another folder", a, `{"command":"npx","args":["-y","@db/a","/other"]}`),
			Entry("another program", a, `{"command":"bunx","args":["-y","@db/a","/data"]}`),
			Entry("an address", a, `{"url":"https://a.example/mcp"}`),
			Entry("another path", `{"url":"https://a.example/mcp"}`, `{"url":"https://a.example/other"}`),
			Entry("another port", `{"url":"https://a.example/mcp"}`, `{"url":"https://a.example:8443/mcp"}`),
			Entry("settings of another kind", `{"address":"a:1"}`, `{"address":"a:1"}`),
		)

		It("has every protection that can be kept, and reports it", spec.InBubble(func(t *testing.T) {
			strict := program(a, only("read", "wipe"), approved(domain.Approvals{ConfirmDestructive: true, ReadOnly: tools("read")}),
				limited(func(l *domain.Limits) { l.MessageSize, l.InFlight = 1<<20, 1 }))
			server, warning := admitted(t, anything, dev(strict), program(a, only("*", "!wipe"),
				approved(domain.Approvals{ReadOnly: tools("read", "w*"), TrustAnnotations: true}),
				func(s *domain.Server) { s.Pinned, s.Shared = domain.PinSchema, true }))

			Expect(server.Tools.Equal(domain.OnlyTools([]string{"read"}))).To(BeTrue())
			Expect(server.Approvals.ConfirmDestructive).To(BeTrue())
			Expect(server.Approvals.TrustAnnotations).To(BeFalse())
			Expect(server.Approvals.ReadOnly).To(Equal(tools("read")))
			Expect(server.Limits.MessageSize).To(Equal(int64(1 << 20)))
			Expect(server.Limits.InFlight).To(BeEquivalentTo(1))
			Expect(server.Pinned).To(BeEmpty())
			Expect(server.Shared).To(BeFalse())
			Expect(server.AtNextStart).To(BeFalse())
			for _, key := range []string{"toolFilters", "confirm", "readOnly or trustAnnotations", "pinned", "shared", "limits.messageSize", "limits.inFlight"} {
				Expect(warning).To(ContainSubstring(key + " of server 'x' in toolbox 'new' (protects less than before)"))
			}
		}))

		DescribeTable("is not started without a protection that is part of its transport's settings", func(strict, loose string) {
			spec.InBubble(func(t *testing.T) {
				server, _ := admitted(t, anything, dev(program(strict)), program(loose))
				Expect(server.AtNextStart).To(BeTrue())
			})()
		},
			Entry("inheritEnv", a, `{"command":"npx","args":["-y","@db/a","/data"],"inheritEnv":"all"}`),
			Entry("installScripts", a, `{"command":"npx","args":["-y","@db/a","/data"],"installScripts":true}`),
			Entry("oauth", `{"url":"https://a.example/mcp","oauth":false}`, `{"url":"https://a.example/mcp"}`),
		)

		It("has the protections of a server whose name it took, and of a removed server", spec.InBubble(func(t *testing.T) {
			asking := dev(program(a, approved(domain.Approvals{Confirm: domain.ToolPatterns{{Text: "dev/files/wipe"}}})))
			w := startReloading(t, configurationOf(asking, withServer(toolbox("old", "x"), "x", program(`{"command":"other"}`))))

			w.reads(configurationOf(withServer(toolbox("old", "x"), "x", program(a))))

			old := spec.Must(w.current.Toolbox("old"))
			Expect(needsYes(old.Servers[0], "wipe")).To(BeTrue())
		}))
	})

	Context("where nothing new is started", Label("TP06"), func() {
		for name, policy := range map[string]func(*application.Configuration){"pinning is block": blocks, "packages are locked": onlyLocked} {
			It("is not started, with the reason, however often it is read, when "+name, spec.InBubble(func(t *testing.T) {
				server, warning := admitted(t, policy, dev(program(a)), program(`{"command":"other"}`))

				Expect(server.AtNextStart).To(BeTrue())
				Expect(warning).To(HaveSuffix("from the next start of the workbench: server 'x' in toolbox 'new', " +
					"whose program or address is new (protects less than before)"))
			}))

			It("is started when exactly the same settings may run under another name, and "+name, spec.InBubble(func(t *testing.T) {
				server, _ := admitted(t, policy, dev(program(a)), program(a))
				Expect(server.AtNextStart).To(BeFalse())

				server, _ = admitted(t, policy, dev(program(a)), program(`{"command":"npx","args":["-y","@db/a","/data"],"cwd":"/tmp"}`))
				Expect(server.AtNextStart).To(BeTrue())
			}))
		}

		It("is started when the policy is added with it, for example when another file is trusted", spec.InBubble(func(t *testing.T) {
			w := startReloading(t, configurationOf(dev(program(a))))
			read := configurationOf(withServer(toolbox("new", "x"), "x", program(`{"command":"other"}`)))
			read.Packages = domain.PackagesLocked

			w.reads(read)
			w.reads(read)

			toolbox := spec.Must(w.current.Toolbox("new"))
			Expect(toolbox.Servers[0].AtNextStart).To(BeFalse())
		}))

		It("cannot be used, not even under another new name", spec.InBubble(func(t *testing.T) {
			start := configurationOf(dev(program(a)))
			start.Packages = domain.PackagesLocked
			w := startReloading(t, start)
			other := withServer(toolbox("new", "x"), "x", program(`{"command":"other"}`))
			read := configurationOf(dev(program(a)), other)
			read.Packages = domain.PackagesLocked
			w.reads(read)

			_, err := w.opener.OpenToolbox(t.Context(), "new")
			Expect(err).To(HaveOccurred())

			read = configurationOf(dev(program(a)), withServer(toolbox("newer", "x"), "x", program(`{"command":"other"}`)))
			read.Packages = domain.PackagesLocked
			w.reads(read)
			_, err = w.opener.OpenToolbox(t.Context(), "newer")
			Expect(err).To(HaveOccurred())
			for _, toolbox := range []domain.ToolboxName{"new", "newer"} {
				Expect(w.servers[domain.ServerID{Toolbox: toolbox, Server: "x"}].started()).To(BeZero())
			}
		}))
	})
})
