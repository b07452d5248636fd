package acceptance_test

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// webKind is a way in which servers behind a URL are reached.
type webKind struct {
	era       Era
	transport string
	start     func(script.Script) *remote.Server
}

var webKinds = []webKind{
	{Older, "http", remote.StartStreamable},
	{Modern, "http", remote.StartModern},
	{Older, "sse", remote.StartOlder},
}

func (k webKind) name() string { return k.transport + ", of " + k.era.Name }

// overTheWeb describes what is the same for all servers behind a URL.
func overTheWeb(body func(over webKind)) {
	for _, over := range webKinds {
		Context("over "+over.name(), func() { body(over) })
	}
}

// elsewhere is a server behind a URL.
type elsewhere struct {
	reached
	far *remote.Server
}

// serve returns a server that plays a script.
func (k webKind) serve(s script.Script, settings ...string) reached {
	GinkgoHelper()
	return k.serveBehind(func(address string) string { return address }, s, settings...).reached
}

// serveBehind is serve for a server that is reached at another address than its
// own.
func (k webKind) serveBehind(address func(own string) string, s script.Script, settings ...string) elsewhere {
	GinkgoHelper()
	s = k.era.Script(s)
	s.Journal = filepath.Join(GinkgoT().TempDir(), "journal")
	far := k.start(s)
	DeferCleanup(far.Break)
	url := strings.Replace(far.URL(), far.Address(), address(far.Address()), 1)
	settings = append(settings, `"transport":"`+k.transport+`"`)
	return elsewhere{far: far, reached: reached{
		Server: Elsewhere("files", url, s.Journal, settings...),
		crash:  func(*Workbench) { far.Break() },
		open:   far.Open,
	}}
}
