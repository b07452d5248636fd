package workbenchtest

import (
	"github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/script"
)

// Era is the kind of protocol versions that a host or a server speaks.
type Era struct {
	Name   string
	Modern bool
}

// The eras, and both of them.
var (
	Older  = Era{Name: "2025-11-25"}
	Modern = Era{Name: "2026-07-28", Modern: true}
	Eras   = []Era{Older, Modern}
)

// BetweenEras registers specs for every pair of a host's and a server's era.
func BetweenEras(body func(ofHost, ofServer Era)) {
	for _, ofHost := range Eras {
		for _, ofServer := range Eras {
			ginkgo.Context("from a server of "+ofServer.Name+" to a host of "+ofHost.Name, func() { body(ofHost, ofServer) })
		}
	}
}

// Server returns a server that speaks the era, named files.
func (e Era) Server(s script.Script, settings ...string) Server {
	ginkgo.GinkgoHelper()
	return Scripted("files", e.Script(s), settings...)
}

// Script returns a script in the form for a server of the era.
func (e Era) Script(s script.Script) script.Script {
	if !e.Modern {
		return s
	}
	if s.Capabilities == "" {
		s.Capabilities = `{"tools":{}}`
	}
	s.Rules = append(script.Modern(s.Capabilities), s.Rules...)
	return s
}

// Connect starts a workbench with the servers in a toolbox named dev, and opens that
// with a host of the era and these capabilities, a raw object.
func (e Era) Connect(capabilities string, servers ...Server) Host {
	ginkgo.GinkgoHelper()
	w := Start(Launch{Config: Configuration(InDev(servers...))})
	host := Connect(w, e.Modern, capabilities)
	host.Open("dev")
	return host
}
