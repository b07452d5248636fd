package application

import (
	"fmt"
	"maps"
	"slices"

	"mcp-workbench/domain"
)

// knownServers are the settings of servers that were in force last, including servers that
// were removed since.
type knownServers map[domain.ServerID]domain.Server

// admit returns a server that is new or has a new program, with the settings that it may run
// with before the next start: with the protections of every known server that has the same
// program or address. It does not run at all if it cannot have them, or if the policy starts
// nothing new. Kept describes the settings that are not in force.
func (k knownServers) admit(server domain.Server, policy domain.PinPolicy) (admitted domain.Server, kept []string) {
	admitted = server
	described := fmt.Sprintf("server '%s' in toolbox '%s'", server.ID.Server, server.ID.Toolbox)
	if policy == domain.PinBlock && !k.runs(server) {
		admitted.AtNextStart = true
		return admitted, []string{described + ", whose program or address is new"}
	}
	for _, other := range k.alike(server) {
		other = other.As(server.ID)
		for _, rule := range serverProtections {
			switch {
			case !rule.weaker(other, admitted, policy):
				continue
			case rule.keep == nil:
				admitted.AtNextStart = true
			default:
				rule.keep(other, &admitted)
			}
			if setting := rule.key + " of " + described; !slices.Contains(kept, setting) {
				kept = append(kept, setting)
			}
		}
	}
	return admitted, kept
}

// runs reports whether a server with exactly these settings may run, under any name.
func (k knownServers) runs(server domain.Server) bool {
	for _, known := range k {
		if !known.AtNextStart && known.RunsAs(server) {
			return true
		}
	}
	return false
}

// alike returns the known servers with the program or address of a server, in a stable order.
func (k knownServers) alike(server domain.Server) []domain.Server {
	var alike []domain.Server
	for _, id := range slices.SortedFunc(maps.Keys(k), domain.ServerID.Compare) {
		if known := k[id]; id != server.ID && !known.AtNextStart && known.RunsLike(server) {
			alike = append(alike, known)
		}
	}
	return alike
}
