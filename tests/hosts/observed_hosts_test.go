package hosts_test

import (
	"context"
	"encoding/json"
	"sync"

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
