package workbenchtest

import (
	"path/filepath"
	"runtime"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// LogMessage is the method of a log message to a host.
const LogMessage = "notifications/message"

// Reloading is a workbench whose configuration changes while it runs, and its host.
type Reloading struct {
	Host
	Path string
}

// ServeReloadable starts a workbench with the text of a configuration, and connects a host that
// follows its tools.
func ServeReloadable(e Era, text string, env ...string) *Reloading {
	ginkgo.GinkgoHelper()
	if runtime.GOOS == "windows" {
		ginkgo.Skip("Windows has no SIGUSR1")
	}
	path := filepath.Join(ginkgo.GinkgoT().TempDir(), "workbench-config.json")
	WriteFile(path, text)
	w := Start(Launch{Args: []string{"--config", path, "--log-level", "info"}, Env: env})
	r := &Reloading{Host: Connect(w, e.Modern, `{}`), Path: path}
	FollowTools(r.Host)
	r.Request("tools/list", r.Params("")) // the workbench handles signals from now on
	return r
}

// Reload writes the configuration and asks the workbench to read it again. It returns
// the output of the workbench to stderr meanwhile.
func (r *Reloading) Reload(text string) string {
	ginkgo.GinkgoHelper()
	before := len(r.Stderr())
	WriteFile(r.Path, text)
	AskToReload(r.Workbench)
	gomega.Eventually(func() string { return r.Stderr()[before:] }).WithTimeout(Patience).Should(gomega.ContainSubstring("the configuration was read again"))
	return r.Stderr()[before:]
}

// Enum returns the names of toolboxes in the schema of open_toolbox.
func (r *Reloading) Enum() []string {
	ginkgo.GinkgoHelper()
	var listed struct {
		Tools []struct {
			InputSchema struct {
				Properties struct{ Toolbox struct{ Enum []string } }
			}
		}
	}
	r.Request("tools/list", r.Params("")).Decode(&listed)
	return listed.Tools[0].InputSchema.Properties.Toolbox.Enum
}

// Shared is the setting for a server that hosts share.
const Shared = `"shared": true`

// BetweenHosts registers specs for every pair of eras of two hosts that share a server.
func BetweenHosts(body func(first, other Era)) {
	for _, eras := range [][2]Era{{Older, Older}, {Modern, Modern}, {Older, Modern}, {Modern, Older}} {
		ginkgo.Context("of "+eras[0].Name+" and "+eras[1].Name, func() { body(eras[0], eras[1]) })
	}
}

// ShareServers starts a workbench and returns two hosts of it over HTTP, both
// with the toolbox dev open.
func ShareServers(l Launch, one, other Era) (Host, Host) {
	ginkgo.GinkgoHelper()
	first := Listen(l)
	a, b := Connect(first, one.Modern, AllCapabilities), Connect(first.AnotherHost(), other.Modern, FormCapability)
	a.Open("dev")
	b.Open("dev")
	return a, b
}
