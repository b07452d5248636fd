package workbenchtest

import "github.com/onsi/ginkgo/v2"

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
