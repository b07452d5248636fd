package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("What a server inherits is more than before", func(now, before domain.Traits, more bool) {
	Expect(now.InheritsMoreThan(before)).To(Equal(more))
},
	Entry("with another name", domain.Traits{Inherits: []string{"A", "B"}}, domain.Traits{Inherits: []string{"A"}}, true),
	Entry("with all of them", domain.Traits{InheritsAll: true}, domain.Traits{Inherits: []string{"A"}}, true),
	Entry("but not without one", domain.Traits{Inherits: []string{"A"}}, domain.Traits{Inherits: []string{"B", "A"}}, false),
	Entry("but not after all of them", domain.Traits{Inherits: []string{"A"}}, domain.Traits{InheritsAll: true}, false),
	Entry("but not when it stays all of them", domain.Traits{InheritsAll: true}, domain.Traits{InheritsAll: true}, false),
)

var _ = DescribeTable("The logins of a server are looser than before", func(now, before domain.LoginTraits, looser bool) {
	Expect(now.IsLooserThan(before)).To(Equal(looser))
},
	Entry("when there were none", domain.LoginTraits{}, domain.LoginTraits{Off: true}, true),
	Entry("with any authorization server", domain.LoginTraits{}, domain.LoginTraits{Issuer: "a"}, true),
	Entry("with another authorization server", domain.LoginTraits{Issuer: "b"}, domain.LoginTraits{Issuer: "a"}, true),
	Entry("but not with the same, written with a slash", domain.LoginTraits{Issuer: "https://a/"}, domain.LoginTraits{Issuer: "https://a"}, false),
	Entry("but not with a single one", domain.LoginTraits{Issuer: "a"}, domain.LoginTraits{}, false),
	Entry("but not without any", domain.LoginTraits{Off: true}, domain.LoginTraits{Issuer: "a"}, false),
)

var _ = DescribeTable("Two servers run alike", func(a, b domain.Traits, alike bool) {
	Expect(domain.Server{Traits: a}.RunsLike(domain.Server{Traits: b})).To(Equal(alike))
	Expect(domain.Server{Traits: b}.RunsLike(domain.Server{Traits: a})).To(Equal(alike))
},
	Entry("with other flags, versions and folders",
		started("npx", "-y", "@a/b", "/data"), started(`C:\node\NPX.cmd`, "--yes", "@a/b@2", "/data", "/more"), true),
	Entry("unless the package is another", started("npx", "@a/b"), started("npx", "@a/c"), false),
	Entry("unless the program is another", started("npx", "a"), started("bunx", "a"), false),
	Entry("with another spelling of a path", started("node", "/srv/x.mjs"), started("node", "/./srv/a/../x.mjs"), true),
	Entry("with a path from the working directory", started("node", "/srv/x.mjs"), startedIn("/srv", "node", "x.mjs"), true),
	Entry("with a path from a working directory that is not known", started("node", "/srv/a/x.mjs"), started("node", "./a/x.mjs"), true),
	Entry("also above it", started("node", "/srv/a/x.mjs"), started("node", "../../a/x.mjs"), true),
	Entry("unless such a path is another", started("node", "/srv/a/x.mjs"), started("node", "b/x.mjs"), false),
	Entry("with such a path on Windows", started("node", `C:\srv\x.mjs`), startedIn(`C:\srv`, "node", `.\x.mjs`), true),
	Entry("with other working directories", startedIn("/a", "node", "x.mjs"), startedIn("/b", "node", "x.mjs"), true),
	Entry("unless the path is another from the working directory", started("node", "/srv/x.mjs"), startedIn("/other", "node", "x.mjs"), false),
	Entry("at one address, however it is written",
		domain.Traits{Address: "https://a.example/mcp"}, domain.Traits{Address: "http://u:p@A.example./x/../mcp?y"}, true),
	Entry("unless the path is another", domain.Traits{Address: "https://a.example/mcp"}, domain.Traits{Address: "https://a.example/"}, false),
	Entry("at an address that is not a URL", domain.Traits{Address: "localhost:7000"}, domain.Traits{Address: "localhost:7000"}, true),
	Entry("unless such an address is another", domain.Traits{Address: "localhost:7000"}, domain.Traits{Address: "localhost:7001"}, false),
	Entry("unless neither is known", domain.Traits{}, domain.Traits{}, false),
)

func started(command string, args ...string) domain.Traits {
	return domain.Traits{Program: domain.Program{Command: command, Args: args}}
}

func startedIn(folder, command string, args ...string) domain.Traits {
	traits := started(command, args...)
	traits.Program.Cwd = folder
	return traits
}
