package mcpserver

import (
	"mcp-workbench/domain"
	"mcp-workbench/domain/apps"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/domain/skills"
	"mcp-workbench/ports"
)

// address is the address of a resource with its server in it, which a host that uses an extension has in place of the
// server's own (tests/acceptance/CONTRACT.md section 25).
type address struct {
	server domain.ServerID
	own    string // the server's address
	asked  string // the host's
	isPage bool
}

// address returns the resource that an address of the host names, and reports whether the address names its
// server. Otherwise it is a server's own address.
func (s *Server) address(asked, method string) (address, bool) {
	switch {
	case !isAboutSkills(method) && apps.IsPage(asked) && s.rendersPages():
		if server, own, ok := apps.ReadAddress(asked); ok && s.registered.registry.Registered().HasPages(server) {
			return address{server: server, own: own, asked: asked, isPage: true}, true
		}
	case s.usesSkills():
		if server, own, ok := skills.ReadAddress(asked); ok && s.program.listing().servers[server] {
			return address{server: server, own: own, asked: asked}, true
		}
	}
	return address{own: asked}, false
}

// isAboutSkills reports whether a method about one resource belongs to the extension of skills.
func isAboutSkills(method string) bool {
	return method == domain.MethodSkillsGet || method == domain.MethodDirectoryRead
}

// addressed returns the result of a request about a resource with the host's addresses in place of the server's. Ok is
// false if the result has files that cannot be addressed.
func (a address) addressed(server domain.ServerID, method string, answer ports.Answer) (_ ports.Answer, ok bool) {
	ok = true
	switch {
	case answer.Error != nil || !rawjson.HasMember(answer.Result, resultMember[method]):
	case method == domain.MethodSkillsGet:
		answer.Result, ok = skills.WithSkill(answer.Result, server)
	case method == domain.MethodDirectoryRead:
		answer.Result = skills.WithChildren(answer.Result, server)
	case a.asked != "":
		answer.Result = apps.WithAddresses(answer.Result, a.own, a.asked)
	}
	return answer, ok
}

// resultMember has the member with what was asked for in the result of each request about one resource. A result
// that asks for input has none.
var resultMember = map[string]string{
	domain.MethodResourcesRead: "contents", domain.MethodSkillsGet: "skill", domain.MethodDirectoryRead: "resources",
}
