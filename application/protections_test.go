package application_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// withLimits changes the limits of a server.
func withLimits(change func(*domain.Limits)) func(*domain.Server) {
	return func(s *domain.Server) { change(&s.Limits) }
}

// only sets toolFilters that allow only these tools.
func only(names ...string) func(*domain.Server) {
	return func(s *domain.Server) { s.Tools = domain.OnlyTools(names) }
}

// withApprovals sets the approvals of a server.
func withApprovals(approvals domain.Approvals) func(*domain.Server) {
	return func(s *domain.Server) { s.Approvals = approvals }
}

func tools(patterns ...string) domain.ToolPatterns {
	var every domain.ToolPatterns
	for _, text := range patterns {
		every = append(every, domain.ToolPattern{Text: text})
	}
	return every
}

var _ = Describe("A protection from one server", func() {
	configured := toolbox("dev", "files")
	const later = "the configuration was read again: no toolbox changed; from the next start of the workbench: "
	// after returns the settings in force after the first and then the second were read,
	// and the report.
	after := func(t *testing.T, policy domain.PinPolicy, first, second func(*domain.Server)) (domain.Server, string) {
		started := configurationOf(withServer(configured, "files", first))
		started.Pinning = policy
		w := startReloading(t, started)
		read := configurationOf(withServer(configured, "files", second))
		read.Pinning = policy
		w.reads(read)
		return spec.Must(w.current.Toolbox("dev")).Servers[0], w.watcher.texts()[0]
	}
	small, large := withLimits(func(l *domain.Limits) { l.MessageSize = 1 << 20 }), withLimits(func(l *domain.Limits) { l.MessageSize = 2 << 20 })
	few, many := withLimits(func(l *domain.Limits) { l.InFlight = 1 }), withLimits(func(l *domain.Limits) { l.InFlight = 2 })
	schema := func(s *domain.Server) { s.Pinned = domain.PinSchema }
	whole := func(s *domain.Server) { s.Pinned = domain.PinDefinition }
	unset := func(*domain.Server) {}
	web := func(s *domain.Server) { s.Transport = "http" }

	for _, rule := range []struct {
		key            string
		policy         domain.PinPolicy
		strict, weaker func(*domain.Server)
		incomparable   bool // each allows something that the other forbids
	}{
		{"toolFilters", "", only("read"), only("read", "write"), false},
		{"toolFilters", "", only("read"), only("write"), true},
		{"toolFilters", "", only(), unset, false},
		{"toolFilters", "", only("*", "!write"), only("*"), false},
		{"toolFilters", "", only("read"), only("*", "!write"), false},
		{"confirm", "", withApprovals(domain.Approvals{Confirm: tools("drop", "*_all")}), withApprovals(domain.Approvals{Confirm: tools("drop")}), false},
		{"confirm", "", withApprovals(domain.Approvals{Confirm: tools("drop")}), withApprovals(domain.Approvals{Confirm: tools("delete")}), true},
		{"confirm", "", withApprovals(domain.Approvals{ConfirmDestructive: true}), unset, false},
		{"readOnly or trustAnnotations", "", unset, withApprovals(domain.Approvals{ReadOnly: tools("read")}), false},
		{"readOnly or trustAnnotations", "", withApprovals(domain.Approvals{ReadOnly: tools("read")}), withApprovals(domain.Approvals{ReadOnly: tools("re*")}), false},
		{"readOnly or trustAnnotations", "", unset, withApprovals(domain.Approvals{TrustAnnotations: true}), false},
		{"pinned", "", whole, schema, false},
		{"pinned", "", unset, schema, false},
		{"shared", "", unset, func(s *domain.Server) { s.Shared = true }, false},
		{"inheritEnv", "", settings(`{"command":"a","inheritEnv":["A"]}`), settings(`{"command":"a","inheritEnv":["A","B"]}`), false},
		{"inheritEnv", "", settings(`{"command":"a"}`), settings(`{"command":"a","inheritEnv":true}`), false},
		{"inheritEnv", "", settings(`{"command":"a","inheritEnv":false}`), settings(`{"command":"a","inheritEnv":"all"}`), false},
		{"inheritEnv", "", settings(`{"command":"a","inheritEnv":false}`), settings(`{"command":"a"}`), false},
		{"inheritEnv", "", settings(`{"command":"a","inheritEnv":false}`), settings(`{"command":"a","inheritEnv":["A"]}`), false},
		{"oauth", "", settings(`{"url":"a","oauth":false}`), settings(`{"url":"a"}`), false},
		{"oauth", "", settings(`{"url":"a","oauth":{"issuer":"b"}}`), settings(`{"url":"a","oauth":{}}`), false},
		{"oauth", "", settings(`{"url":"a","oauth":{"issuer":"b"}}`), settings(`{"url":"a","oauth":{"issuer":"c"}}`), true},
		{"installScripts", "", settings(`{"command":"a","installScripts":false}`), settings(`{"command":"a","installScripts":true}`), false},
		{"installScripts", "", settings(`{"command":"a"}`), settings(`{"command":"a","installScripts":true}`), false},
		{"limits.messageSize", "", small, large, false},
		{"limits.inFlight", "", few, many, false},
		{"the program or the address", domain.PinBlock, settings(`{"command":"a"}`), settings(`{"command":"b"}`), false},
		{"the program or the address", domain.PinBlock, settings(`{"command":"a"}`), settings(`{"command":"a","env":{"A":"1"}}`), false},
		{"the program or the address", domain.PinBlock, unset, web, false},
	} {
		It("gets no weaker before the next start: "+rule.key, spec.InBubble(func(t *testing.T) {
			server, warning := after(t, rule.policy, rule.strict, rule.weaker)

			Expect(server.Equal(withServer(configured, "files", rule.strict).Servers[0])).To(BeTrue(), "%+v", server)
			Expect(warning).To(Equal(later + rule.key + " of server 'files' in toolbox 'dev' (protects less than before)"))
		}))

		if rule.policy == domain.PinBlock || rule.incomparable {
			continue
		}
		It("gets stricter at once: "+rule.key, spec.InBubble(func(t *testing.T) {
			server, warning := after(t, rule.policy, rule.weaker, rule.strict)

			Expect(warning).To(Equal("the configuration was read again: toolboxes changed: dev"))
			Expect(server.Equal(withServer(configured, "files", rule.strict).Servers[0])).To(BeTrue())
		}))
	}

	It("does not cover other settings, which change at once", spec.InBubble(func(t *testing.T) {
		longer := withLimits(func(l *domain.Limits) { l.Call *= 2 })
		for _, change := range []func(*domain.Server){settings(`{"command":"b"}`), longer, web, only("read")} {
			server, warning := after(t, domain.PinWarn, unset, change)
			Expect(server.Equal(withServer(configured, "files", change).Servers[0])).To(BeTrue())
			Expect(warning).To(Equal("the configuration was read again: toolboxes changed: dev"))
		}
	}))

	It("covers the program where only pinned packages start", spec.InBubble(func(t *testing.T) {
		started := configurationOf(withServer(configured, "files", settings(`{"command":"npx"}`)))
		started.Packages = domain.PackagesLocked
		w := startReloading(t, started)
		read := configurationOf(withServer(configured, "files", settings(`{"command":"other"}`)))
		read.Packages = domain.PackagesLocked

		w.reads(read)

		Expect(w.watcher.texts()[0]).To(Equal(later + "the program or the address of server 'files' in toolbox 'dev' (protects less than before)"))
	}))

	It("is not weakened by new servers, and is compared with the settings in force last", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(withServer(configured, "files", only("read"))))

		w.reads(configurationOf(toolbox("new", "files"), withServer(configured, "files", only())))
		w.reads(configurationOf(toolbox("new", "files")))
		w.reads(configurationOf(toolbox("new", "files"), withServer(configured, "files", only("read"))))

		dev := spec.Must(w.current.Toolbox("dev"))
		Expect(dev.Servers[0].Tools.Allows("read")).To(BeFalse(), "it was stricter meanwhile, and removed after that")
		Expect(w.opens("new").Warnings).To(BeEmpty())
		Expect(w.opens("dev").Warnings).To(Equal([]domain.Warning{
			{Kind: domain.SettingWithheld, Detail: "toolFilters of server 'files' in toolbox 'dev'"},
		}))
	}))
})

var _ = Describe("A protection from all servers", func() {
	dev := toolbox("dev", "files")
	policies := []domain.PinPolicy{domain.PinOff, domain.PinDefault, domain.PinWarn, domain.PinBlock}

	It("covers the policy for changed tools, which gets stricter at once and weaker at the next start", spec.InBubble(func(t *testing.T) {
		for i, before := range policies {
			for j, after := range policies {
				started, read := configurationOf(dev), configurationOf(dev)
				started.Pinning, read.Pinning = before, after
				w := startReloading(t, started)

				w.reads(read)

				w.opened.Add("dev")
				_, _ = w.opener.OpenToolbox(t.Context(), "dev")
				failed := w.use("files", "read").failureOrNil()
				Expect(failed != nil).To(Equal(max(i, j) == 3), "%q, then %q: without a lock no tool is known to a policy that blocks", before, after)
				var warned []domain.Warning
				if j < i {
					warned = []domain.Warning{{Kind: domain.SettingWithheld, Detail: "pinning"}}
				}
				if max(i, j) >= 2 {
					warned = append(warned, domain.Warning{Kind: domain.LockMissing})
				}
				Expect(w.opens("dev").Warnings).To(Equal(warned))
			}
		}
	}))

	It("covers the policy for packages, which gets stricter at once and weaker at the next start", spec.InBubble(func(t *testing.T) {
		policies := []domain.PackagePolicy{domain.PackagesOff, domain.PackagesPinned, domain.PackagesLocked}
		for i, before := range policies {
			for j, after := range policies {
				started, read := configurationOf(dev), configurationOf(dev)
				started.Packages, read.Packages = before, after
				w := startReloading(t, started)

				w.reads(read)

				Expect(w.pinning.Packages().OnlyPinned).To(Equal(max(i, j) == 2), "%q, then %q", before, after)
				var warned []domain.Warning
				if j < i {
					warned = []domain.Warning{{Kind: domain.SettingWithheld, Detail: "packages"}}
				}
				Expect(w.opens("dev").Warnings).To(Equal(warned))
			}
		}
	}))

	It("is applied to tools that are already known", spec.InBubble(func(t *testing.T) {
		started, read := configurationOf(dev), configurationOf(dev)
		read.Pinning = domain.PinBlock
		w := startReloading(t, started)
		w.opens("dev")
		Expect(w.use("files", "read").result()).To(Equal(`"read"`))

		w.reads(read)

		Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolBlocked))
	}))

	It("covers logPayloads and the checks of calls", spec.InBubble(func(t *testing.T) {
		started, read := configurationOf(dev), configurationOf(dev)
		started.Definitions.Validation = definitions.ValidateAll
		read.LogPayloads = true
		w := startReloading(t, started)

		w.reads(read)

		Expect(w.current.LogsPayloads()).To(BeFalse())
		Expect(w.current.Definitions().Validation).To(Equal(definitions.ValidateAll))
		Expect(w.watcher.texts()[0]).To(HaveSuffix("from the next start of the workbench: validate (protects less than before), logPayloads (protects less than before)"))

		started.LogPayloads = true
		w = startReloading(t, started)
		read.LogPayloads, read.Definitions = false, started.Definitions
		w.reads(read)
		Expect(w.current.LogsPayloads()).To(BeFalse())
	}))

	It("covers the absence of read_tool", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		read := configurationOf(dev)
		read.Definitions.ReadTool = true

		w.reads(read)

		Expect(w.current.Definitions().ReadTool).To(BeFalse())
		Expect(w.watcher.texts()[0]).To(HaveSuffix("from the next start of the workbench: readTool (protects less than before)"))

		w = startReloading(t, read)
		w.reads(configurationOf(dev))
		Expect(w.current.Definitions().ReadTool).To(BeFalse())
	}))

	It("covers the tools that need a yes, including those of new servers", spec.InBubble(func(t *testing.T) {
		asking := domain.Approvals{Confirm: tools("drop"), ConfirmDestructive: true}
		started := configurationOf(withServer(dev, "files", withApprovals(asking)))
		started.Approvals = asking
		w := startReloading(t, started)

		w.reads(configurationOf(dev, toolbox("new", "files")))

		for _, name := range []domain.ToolboxName{"dev", "new"} {
			Expect(spec.Must(w.current.Toolbox(name)).Servers[0].Approvals).To(Equal(asking), string(name))
		}
		Expect(w.watcher.texts()[0]).To(ContainSubstring("confirm of the root (protects less than before)"))
	}))

	It("covers patterns that name servers, which may be new", spec.InBubble(func(t *testing.T) {
		started, read := configurationOf(dev), configurationOf(dev, toolbox("new", "git"))
		started.Approvals.Confirm, read.Approvals.Confirm = tools("git/*"), tools("g*")
		w := startReloading(t, started)

		w.reads(read)

		Expect(spec.Must(w.current.Toolbox("new")).Servers[0].NeedsYes(domain.ToolInfo{Name: "push", Shown: "push"})).To(BeTrue())
	}))

	It("does not cover how much of the tools is shown", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.reads(application.Configuration{Catalog: ports.Catalog(fakeCatalog{dev}), Definitions: definitions.Settings{Default: definitions.Names}})
		Expect(w.current.Definitions().Default).To(Equal(definitions.Names))
		Expect(w.watcher.texts()).To(Equal([]string{"the configuration was read again: no toolbox changed"}))
	}))
})

// failureOrNil returns the failure of a reply that was called once, nil if there was none.
func (o *outcome) failureOrNil() error {
	times, _, err := o.received()
	Expect(times).To(Equal(1))
	return err
}

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
		return spec.Must(w.current.Toolbox("new")).Servers[0], w.watcher.texts()[0]
	}
	anything := func(*application.Configuration) {}
	blocks := func(c *application.Configuration) { c.Pinning = domain.PinBlock }
	onlyLocked := func(c *application.Configuration) { c.Packages = domain.PackagesLocked }
	needsYes := func(s domain.Server, tool string) bool { return s.NeedsYes(domain.ToolInfo{Name: tool, Shown: tool}) }

	Context("with the program or address of a known server", Label("TP05"), func() {
		DescribeTable("has at least its protections", func(raw, again string) {
			spec.InBubble(func(t *testing.T) {
				server, _ := admitted(t, anything, dev(program(raw, withApprovals(domain.Approvals{Confirm: tools("wipe")}))), program(again))
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
				server, warning := admitted(t, anything, dev(program(raw, withApprovals(domain.Approvals{Confirm: tools("wipe")}))), program(again))
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
			strict := program(a, only("read", "wipe"), withApprovals(domain.Approvals{ConfirmDestructive: true, ReadOnly: tools("read")}),
				withLimits(func(l *domain.Limits) { l.MessageSize, l.InFlight = 1<<20, 1 }))
			server, warning := admitted(t, anything, dev(strict), program(a, only("*", "!wipe"),
				withApprovals(domain.Approvals{ReadOnly: tools("read", "w*"), TrustAnnotations: true}),
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
			asking := dev(program(a, withApprovals(domain.Approvals{Confirm: domain.ToolPatterns{{Text: "dev/files/wipe"}}})))
			w := startReloading(t, configurationOf(asking, withServer(toolbox("old", "x"), "x", program(`{"command":"other"}`))))

			w.reads(configurationOf(withServer(toolbox("old", "x"), "x", program(a))))

			old := spec.Must(w.current.Toolbox("old"))
			Expect(needsYes(old.Servers[0], "wipe")).To(BeTrue())
		}))
	})

	Context("where nothing new is started", Label("TP05"), func() {
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

			Expect(spec.Must(w.current.Toolbox("new")).Servers[0].AtNextStart).To(BeFalse())
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
