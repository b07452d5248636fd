package workbenchtest

import (
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
)

// ReachedServer is a server with functions for specs.
type ReachedServer struct {
	Server
	// Crash ends it at once.
	Crash func(*Workbench)
	// Open returns how many connections the workbench has to it.
	Open func() int
}

// WebKind is a transport and an era of servers behind a URL.
type WebKind struct {
	Era       Era
	Transport string
	Start     func(script.Script) *remote.Server
}

// WebKinds are all kinds of servers behind a URL.
var WebKinds = []WebKind{
	{Older, "http", remote.StartStreamable},
	{Modern, "http", remote.StartModern},
	{Older, "sse", remote.StartOlder},
}

// Name returns the transport and era.
func (k WebKind) Name() string { return k.Transport + ", of " + k.Era.Name }

// OverEveryWebKind registers specs for all kinds of servers behind a URL.
func OverEveryWebKind(body func(over WebKind)) {
	for _, over := range WebKinds {
		ginkgo.Context("over "+over.Name(), func() { body(over) })
	}
}

// RemoteServer is a server behind a URL.
type RemoteServer struct {
	ReachedServer
	Far *remote.Server
}

// Serve returns a server that plays a script.
func (k WebKind) Serve(s script.Script, settings ...string) ReachedServer {
	ginkgo.GinkgoHelper()
	return k.ServeBehind(func(address string) string { return address }, s, settings...).ReachedServer
}

// ServeBehind does the same for a server that is reached at an address other than its own.
func (k WebKind) ServeBehind(address func(own string) string, s script.Script, settings ...string) RemoteServer {
	ginkgo.GinkgoHelper()
	s = k.Era.Script(s)
	s.Journal = filepath.Join(ginkgo.GinkgoT().TempDir(), "journal")
	far := k.Start(s)
	ginkgo.DeferCleanup(far.Break)
	url := strings.Replace(far.URL(), far.Address(), address(far.Address()), 1)
	settings = append(settings, `"transport":"`+k.Transport+`"`)
	return RemoteServer{Far: far, ReachedServer: ReachedServer{
		Server: ServerAt("files", url, s.Journal, settings...),
		Crash:  func(*Workbench) { far.Break() },
		Open:   far.Open,
	}}
}
