package domain_test

import (
	"encoding/json"
	"reflect"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Servers are configured alike", func() {
	// other is another value for each field of a server than that of the zero server.
	other := map[string]any{
		"ID":          domain.ServerID{Toolbox: "dev", Server: "files"},
		"Transport":   "stdio",
		"Settings":    json.RawMessage(`{"command":"a"}`),
		"Tools":       domain.OnlyTools([]string{"read"}),
		"Adjustments": domain.ToolAdjustments{"a": {Hidden: []string{"b"}}},
		"Pinned":      domain.PinSchema,
		"Shared":      true,
		"Files":       map[string]string{"plugin.json": "none"},
		"Approvals":   domain.Approvals{ConfirmDestructive: true},
		"Limits":      domain.DefaultLimits(),
		"Unset":       &domain.UnsetVariableError{Variable: "TOKEN"},

		"AtNextStart":    true,
		"SecretCommands": []domain.SecretCommand{{Variable: "TOKEN", Program: domain.Program{Command: "op"}}},
	}
	// same are the fields that say again what others say, that no configuration sets, or that
	// are about the next start only.
	same := map[string]any{
		"Configured": json.RawMessage(`{"command":"${A}"}`),
		"Traits":     domain.Traits{Address: "a"},
		"Shown":      domain.Traits{Address: "${A}"},
		"Secrets":    domain.Secrets{{Value: "secret"}},
		"Start":      domain.StartLazily,
		"Results":    domain.ResultsFit,
		"From":       domain.Published{Registry: "a/b", Version: "1.0.0"},
		"IsOfPlugin": true,                             // Data, Files or the settings differ too
		"Data":       "/x",                             // Settings have it as a variable
		"AlsoUnset":  []domain.UnsetVariableError(nil), // it counts beside Unset
	}

	It("when no field differs but those that say nothing new", func() {
		fields := reflect.TypeFor[domain.Server]()
		for i := range fields.NumField() {
			name := fields.Field(i).Name
			var server domain.Server
			value, differs := other[name]
			if !differs {
				Expect(same).To(HaveKey(name), "a new field: does a server that differs in it have to be replaced?")
				value = same[name]
			}
			reflect.ValueOf(&server).Elem().Field(i).Set(reflect.ValueOf(value))

			Expect(server.Equal(domain.Server{})).To(Equal(!differs), name)
			Expect(domain.Server{}.Equal(server)).To(Equal(!differs), name)
			Expect(server.Equal(server)).To(BeTrue(), name)
		}
	})

	It("as parts of toolboxes too, whose order counts", func() {
		a, b := domain.Server{Transport: "a"}, domain.Server{Transport: "b"}
		toolbox := domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a, b}}

		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a, b}})).To(BeTrue())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{b, a}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Servers: []domain.Server{a, b}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a}})).To(BeFalse())
		lazy := a
		lazy.Start = domain.StartLazily
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{lazy, b}})).To(BeFalse())
		fit, less := a, a
		fit.Results, less.Limits.Result = domain.ResultsFit, 1000
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{fit, b}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{less, b}})).To(BeFalse())
		Expect(a.Equal(less)).To(BeTrue(), "no server is started again for that")
	})
})

var _ = Describe("Comparing filters", func() {
	universe := []string{"a", "b", "c", "never configured"}
	var filters []domain.ToolFilter
	for set := range 1 << 3 {
		var named, left []string
		for i, name := range universe[:3] {
			if set&(1<<i) != 0 {
				named, left = append(named, name), append(left, "!"+name)
			}
		}
		filters = append(filters, domain.OnlyTools(named), domain.OnlyTools(append(left, "*")))
	}
	filters = append(filters, domain.ToolFilter{}, domain.OnlyTools([]string{"b", "a"}), domain.OnlyTools([]string{"a", "a"}))

	It("says of any two which lets a tool through that the other does not", func() {
		for _, filter := range filters {
			for _, other := range filters {
				weaker, equal := false, true
				for _, name := range universe {
					weaker = weaker || filter.Allows(name) && !other.Allows(name)
					equal = equal && filter.Allows(name) == other.Allows(name)
				}
				Expect(filter.IsWeakerThan(other)).To(Equal(weaker), "%v, %v", filter, other)
				Expect(filter.Equal(other)).To(Equal(equal), "%v, %v", filter, other)
				for _, name := range universe {
					Expect(filter.And(other).Allows(name)).To(Equal(filter.Allows(name) && other.Allows(name)), "%v, %v: %s", filter, other, name)
				}
			}
		}
	})
})

var _ = DescribeTable("What a server inherits is more than before", func(now, before domain.Traits, more bool) {
	Expect(now.InheritsMoreThan(before)).To(Equal(more))
},
	Entry("with another name", domain.Traits{Inherits: []string{"A", "B"}}, domain.Traits{Inherits: []string{"A"}}, true),
	Entry("with all of them", domain.Traits{InheritsAll: true}, domain.Traits{Inherits: []string{"A"}}, true),
	Entry("without false", domain.Traits{}, domain.Traits{InheritsLeast: true}, true),
	Entry("but not with false", domain.Traits{InheritsLeast: true}, domain.Traits{Inherits: []string{"A"}}, false),
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

var _ = Describe("An address", func() {
	DescribeTable("is encoded as far as it has to be", func(written, encoded string) {
		Expect(domain.EncodeURL(written)).To(Equal(encoded))
	},
		Entry("not at all", "https://a.example/b%20c?d=e+f&g#h", "https://a.example/b%20c?d=e+f&g#h"),
		Entry("a space", "/a b", "/a%20b"),
		Entry("letters outside of ASCII, by bytes", "/é日", "/%C3%A9%E6%97%A5"),
		Entry("what the syntax does not have", `<>"{}|\^`+"`", "%3C%3E%22%7B%7D%7C%5C%5E%60"),
		Entry("bytes that are not UTF-8", "\xff", "%FF"),
	)

	DescribeTable("shows its login in no form", func(address, text, shown string) {
		Expect(domain.URLSecrets(address).Redact(text)).To(Equal(shown))
	},
		Entry("its password", "https://user:hunter2hunter2@a.example/", "not hunter2hunter2", "not ***"),
		Entry("its password as it is decoded", "https://user:hunter2%2Fhunter2@a.example/", "not hunter2/hunter2", "not ***"),
		Entry("the header", "https://user:hunter2hunter2@a.example/", "Basic dXNlcjpodW50ZXIyaHVudGVyMg==", "Basic ***"),
		Entry("the header of a short password", "https://user:pw@a.example/", "Basic dXNlcjpwdw==, pw", "Basic ***, pw"),
		Entry("the header of letters outside of ASCII", "https://jörg:pass wörd@a.example/", "Basic asO2cmc6cGFzcyB3w7ZyZA==", "Basic ***"),
		Entry("a key in place of a name", "https://key-of-mine@a.example/", "key-of-mine, Basic a2V5LW9mLW1pbmU6", "***, Basic ***"),
		Entry("none", "https://a.example/user:hunter2hunter2@", "hunter2hunter2", "hunter2hunter2"),
		Entry("an invalid address", "user:hunter2hunter2@%zz", "hunter2hunter2", "hunter2hunter2"),
	)

	DescribeTable("has headers whose credentials are not shown", func(name, value, text, shown string) {
		Expect(domain.HeaderSecrets(name, value).Redact(text)).To(Equal(shown))
	},
		Entry("without their scheme", "authorization", " Bearer  token-of-mine ", "no token-of-mine", "no ***"),
		Entry("of a proxy", "Proxy-Authorization", "Basic dXNlcjpwdw==", "no dXNlcjpwdw==", "no ***"),
		Entry("not of others", "X-Team", "red token-of-mine", "no token-of-mine", "no token-of-mine"),
	)
})

var _ = DescribeTable("Two addresses of authorization servers are one", Label("A11"), func(a, b string, same bool) {
	Expect(domain.SameIssuer(a, b)).To(Equal(same))
	Expect(domain.SameIssuer(b, a)).To(Equal(same))
},
	Entry("if they are equal", "https://a.example/t", "https://a.example/t", true),
	Entry("with and without the slash after the host", "https://a.example:8443/", "https://a.example:8443", true),
	Entry("but not with a slash after a path", "https://a.example/t/", "https://a.example/t", false),
	Entry("but not with two slashes", "https://a.example//", "https://a.example", false),
	Entry("but not with another case", "https://A.example", "https://a.example", false),
	Entry("but not with a slash after a query", "https://a.example?x/", "https://a.example?x", false),
	Entry("but not without a host", "https:///", "https://", false),
	Entry("but not without a scheme", "a/", "a", false),
)
