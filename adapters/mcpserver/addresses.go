package mcpserver

import (
	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// address is an address of a resource that names its server. Hosts that use an extension get such addresses instead
// of the server's own (tests/acceptance/CONTRACT.md section 25).
type address struct {
	server domain.ServerID
	own    string // the server's address
	asked  string // the host's
	isPage bool
}

// address reads an address that the host sent, and reports whether it names its server. If not, it is a server's own
// address.
func (a *resources) address(asked string, method mcp.MCPMethod) (address, bool) {
	switch {
	case !isAboutSkills(method) && a.isPage(asked):
		return a.pageAddress(asked)
	case a.usesSkills():
		if server, own, ok := extensions.ReadSkillAddress(asked); ok && a.program.listing().servers[server] {
			return address{server: server, own: own, asked: asked}, true
		}
	}
	return address{own: asked}, false
}

// isAboutSkills reports whether a method about one resource belongs to the skills extension.
func isAboutSkills(method mcp.MCPMethod) bool {
	return method == jsonrpc.MethodSkillsGet || method == jsonrpc.MethodDirectoryRead
}

// addressed returns the result of a request about a resource with the host's addresses in place of the server's. ok
// is false if the result has a file that cannot be addressed.
func (a address) addressed(server domain.ServerID, method mcp.MCPMethod, answer ports.Answer) (_ ports.Answer, ok bool) {
	ok = true
	switch {
	case answer.Error != nil || !rawjson.HasMember(answer.Result, resultMember[method]):
	case method == jsonrpc.MethodSkillsGet:
		answer.Result, ok = extensions.WithSkill(answer.Result, server)
	case method == jsonrpc.MethodDirectoryRead:
		answer.Result = extensions.WithChildren(answer.Result, server)
	case a.asked != "":
		answer.Result = extensions.WithPageAddresses(answer.Result, a.own, a.asked)
	}
	return answer, ok
}

// resultMember maps each request about one resource to the member of the result that it asks for. A result that asks
// for input lacks that member.
var resultMember = map[mcp.MCPMethod]string{
	mcp.MethodResourcesRead: "contents", jsonrpc.MethodSkillsGet: "skill", jsonrpc.MethodDirectoryRead: "resources",
}
