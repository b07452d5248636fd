package acceptance_test

import (
	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// era is what of the protocol's versions a host or a server speaks.
type era struct {
	name   string
	modern bool
}

var (
	older  = era{name: "2025-11-25"}
	modern = era{name: "2026-07-28", modern: true}
	eras   = []era{older, modern}
)

// betweenEras describes what is the same whatever host and server speak.
func betweenEras(body func(ofHost, ofServer era)) {
	for _, ofHost := range eras {
		for _, ofServer := range eras {
			Context("from a server of "+ofServer.name+" to a host of "+ofHost.name, func() { body(ofHost, ofServer) })
		}
	}
}

// server returns a server that speaks the era, named files.
func (e era) server(s script.Script, settings ...string) Server {
	GinkgoHelper()
	return Scripted("files", e.script(s), settings...)
}

// script returns a script as a server of the era plays it.
func (e era) script(s script.Script) script.Script {
	if !e.modern {
		return s
	}
	if s.Capabilities == "" {
		s.Capabilities = `{"tools":{}}`
	}
	s.Rules = append(script.Modern(s.Capabilities), s.Rules...)
	return s
}

// connect starts a workbench over the servers, in a toolbox named dev, which is
// opened by a host of the era that can do what the raw object says.
func (e era) connect(capabilities string, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: Configuration(InDev(servers...))})
	host := Connect(w, e.modern, capabilities)
	host.Open("dev")
	return host
}
