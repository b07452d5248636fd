package skills

import (
	"strings"

	"mcp-workbench/domain"
)

const (
	scheme = "skill://"
	// maxAddress is the length of the longest address of a file, in bytes.
	maxAddress = 2 << 10
)

// Address returns the address under which a host reads a file of a skill of a server: skill://TOOLBOX/SERVER/ and what
// follows skill:// in the server's own address. If that has another scheme, as in NAME://REST, the address ends with
// NAME:/REST. Ok is false for texts that are not addresses, for long addresses, and for those with "." or ".."
// segments, which hosts may resolve to files of another server.
func Address(server domain.ServerID, own string) (address string, ok bool) {
	name, rest, ok := strings.Cut(own, "://")
	if !ok || name == "" || rest == "" || strings.Contains(name, "/") || len(own) > maxAddress || domain.PathClimbs(rest) {
		return "", false
	}
	if name != "skill" || namesScheme(rest) {
		rest = name + ":/" + rest
	}
	return scheme + server.URLPath() + "/" + rest, true
}

// ReadAddress reverses Address: it returns the server, and the server's own address of the file. Ok is false for texts
// that Address does not return.
func ReadAddress(address string) (server domain.ServerID, own string, ok bool) {
	rest, isSkill := strings.CutPrefix(address, scheme)
	server, rest, ok = domain.CutURLPath(rest)
	if !isSkill || !ok || len(address) > 2*maxAddress || domain.PathClimbs(rest) {
		return domain.ServerID{}, "", false
	}
	if namesScheme(rest) {
		name, behind, _ := strings.Cut(rest, ":/")
		return server, name + "://" + behind, behind != ""
	}
	return server, scheme + rest, true
}

// namesScheme reports whether the first segment of a path is the name of a scheme and a colon.
func namesScheme(path string) bool {
	first, _, hasMore := strings.Cut(path, "/")
	return hasMore && strings.HasSuffix(first, ":")
}
