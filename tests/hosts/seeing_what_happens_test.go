package hosts_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/hosts/model"
)

// Types for the --json output of the commands.
type (
	shownServer struct {
		Toolbox, Name, State string
		Calls, Errors        int
		LastError            struct{ Tool, Outcome string }
	}
	shownHost struct {
		Name, Version, Transport, Identity string
		Toolboxes                          []string
		Servers                            []shownServer
	}
	shownEntry struct {
		Host, HostVersion, Identity, Kind, Toolbox, Server, Tool, Outcome string
	}
)

// observed returns an account with a server that has a failing tool, and a tool whose answer comes after
// release was called, so that hosts are running until then.
func observed() (d account, release func()) {
	GinkgoHelper()
	d = accountWith(seven)
	s := scripted
	s.Tools = append([]string{script.Tool("fail"), script.Tool("hold")}, s.Tools...)
	s.Rules = append([]script.Rule{
		{Method: "tools/call", Tool: "fail", Do: []script.Step{{Result: `{"isError":true,"content":[{"type":"text","text":"No such file"}]}`}}},
		{Method: "tools/call", Tool: "hold", Background: true, Do: []script.Step{{AwaitFile: d.path("released")}, {Result: script.Text("Released")}}},
	}, s.Rules...)
	Expect(s.Save(d.path("script.json"))).To(Succeed())
	release = sync.OnceFunc(func() { d.write("released", "") })
	DeferCleanup(release)
	return d, release
}

// observedCalls returns the calls of the hosts in these specs.
func observedCalls() []model.Call {
	return []model.Call{open("memory"), use("memory", "echo"), use("memory", "fail"), use("memory", "hold")}
}

// hostsShown returns the hosts in the status of the workbenches with the account's configuration.
func (d account) hostsShown(ctx context.Context) []shownHost {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct {
			Snapshot struct {
				Configuration string
				Hosts         []shownHost
			}
		}
	}
	stdout, _ := d.runToEnd(ctx, programs.Workbench, []string{"status", "--json"})
	Expect(json.Unmarshal([]byte(stdout), &shown)).To(Succeed(), stdout)
	var hosts []shownHost
	for _, workbench := range shown.Workbenches {
		if workbench.Snapshot.Configuration == d.path("workbench-config.json") {
			hosts = append(hosts, workbench.Snapshot.Hosts...)
		}
	}
	return hosts
}

// recordedCalls returns the calls of tools that calls --json prints. Some hosts end the processes of servers
// themselves, so that ends can be failures.
func (d account) recordedCalls(ctx context.Context, words ...string) []shownEntry {
	GinkgoHelper()
	stdout, _ := d.runToEnd(ctx, programs.Workbench, append([]string{"calls", "--json", "--since", "1h"}, words...))
	var entries []shownEntry
	for line := range strings.Lines(stdout) {
		var entry shownEntry
		Expect(json.Unmarshal([]byte(line), &entry)).To(Succeed(), line)
		if entry.Kind == "call" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// calledBy returns a matcher for a host whose calls of echo and fail were answered.
func calledBy(name string) OmegaMatcher {
	return And(HaveField("Name", name), HaveField("Version", Not(BeEmpty())), HaveField("Toolboxes", ConsistOf("memory")),
		HaveField("Servers", ConsistOf(And(
			HaveField("Toolbox", "memory"), HaveField("Name", "scripted"), HaveField("State", "running"),
			HaveField("Calls", 2), HaveField("Errors", 1),
			HaveField("LastError", And(HaveField("Tool", "fail"), HaveField("Outcome", "tool_error"))),
		))))
}

var _ = Describe("Hosts that run simultaneously", func() {
	hosts := map[string]host{"claude-code": claudeCode, "codex-mcp-client": codex, "gemini-cli-mcp-client": geminiCLI, "opencode": openCode}

	It("are shown by status, calls, usage and the page, each with its server, its tools and its failures", func(ctx SpecContext) {
		d, release := observed()
		var running sync.WaitGroup
		for _, h := range hosts {
			running.Go(func() {
				defer GinkgoRecover()
				c := h.converse(ctx, d, observedCalls())
				Expect(c.results).To(HaveLen(4), h.name)
			})
		}

		var shown []any
		for name := range hosts {
			shown = append(shown, calledBy(name))
		}
		Eventually(ctx, func() []shownHost { return d.hostsShown(ctx) }).Should(ConsistOf(shown...))
		page := d.openPage(ctx)
		for name := range hosts {
			Expect(page("")).To(ContainSubstring("<bdi>" + name + " "))
		}
		release()
		running.Wait()

		Eventually(d.processes).WithTimeout(patience).ShouldNot(ContainElement(ContainSubstring("-script")))
		failed := d.recordedCalls(ctx, "--failed")
		Expect(failed).To(HaveLen(len(hosts)))
		for name := range hosts {
			var own []shownEntry
			for _, entry := range d.recordedCalls(ctx, "memory/scripted") {
				if entry.Host == name {
					own = append(own, entry)
				}
			}
			Expect(own).To(HaveExactElements(
				And(HaveField("Tool", "echo"), HaveField("Outcome", "ok"), HaveField("HostVersion", Not(BeEmpty()))),
				And(HaveField("Tool", "fail"), HaveField("Outcome", "tool_error")),
				And(HaveField("Tool", "hold"), HaveField("Outcome", "ok")),
			), name)
			Expect(failed).To(ContainElement(And(HaveField("Host", name), HaveField("Tool", "fail"))))
			Eventually(ctx, func() string { return page("calls") }).Should(ContainSubstring(name))
		}
		var usage struct {
			Calls, Failed int
			Tools         []struct {
				Tool          string
				Calls, Failed int
			}
		}
		stdout, _ := d.runToEnd(ctx, programs.Workbench, []string{"usage", "--json", "--config", d.path("workbench-config.json")})
		Expect(json.Unmarshal([]byte(stdout), &usage)).To(Succeed(), stdout)
		Expect(usage.Tools).To(ContainElement(And(HaveField("Tool", "fail"), HaveField("Calls", len(hosts)), HaveField("Failed", len(hosts)))))
		Expect(usage.Failed).To(Equal(len(hosts)))
	}, SpecTimeout(5*time.Minute))

	It("over HTTP are all shown to the user of the machine, and on the page each to its own token only", func(ctx SpecContext) {
		d, release := observed()
		tokens := map[string]string{"ann": "token-of-ann-that-is-long-enough", "bob": "token-of-bob-that-is-long-enough"}
		d, _ = d.listeningTo(tokens)
		var running sync.WaitGroup
		for name, h := range map[string]host{"ann": claudeCode, "bob": codex} {
			own := d
			own.token = tokens[name]
			running.Go(func() {
				defer GinkgoRecover()
				c := h.converse(ctx, own, observedCalls())
				Expect(c.results).To(HaveLen(4), h.name)
			})
		}

		Eventually(ctx, func() []shownHost { return d.hostsShown(ctx) }).Should(ConsistOf(
			And(calledBy("claude-code"), HaveField("Transport", "http"), HaveField("Identity", ContainSubstring("ann"))),
			And(calledBy("codex-mcp-client"), HaveField("Transport", "http"), HaveField("Identity", ContainSubstring("bob"))),
		))
		root := strings.TrimSuffix(d.url, "/mcp") + "/ui/"
		anns, bobs := pageFor(ctx, root, tokens["ann"]), pageFor(ctx, root, tokens["bob"])
		for _, path := range []string{"", "calls", "failures"} {
			Expect(anns(path)).NotTo(ContainSubstring("codex"))
			Expect(bobs(path)).NotTo(ContainSubstring("claude"))
		}
		Expect(anns("")).To(ContainSubstring("<bdi>claude-code "))
		Expect(bobs("")).To(ContainSubstring("<bdi>codex-mcp-client "))
		release()
		running.Wait()
		Eventually(func() []shownEntry { return d.recordedCalls(ctx, "--failed") }).WithTimeout(patience).Should(ConsistOf(
			And(HaveField("Host", "claude-code"), HaveField("Identity", ContainSubstring("ann"))),
			And(HaveField("Host", "codex-mcp-client"), HaveField("Identity", ContainSubstring("bob"))),
		))
	}, SpecTimeout(5*time.Minute))
})
