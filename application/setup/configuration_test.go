package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

var _ = Describe("A configuration", func() {
	configuration := setup.Configuration{Keys: described, Path: "c.json", Servers: []setup.Configured{
		configuredServer("a", "git", "x"), configuredServer("a", "double", "y"), configuredServer("b", "double", "z"),
	}}
	project := setup.Configuration{Keys: described, Path: "p.json", IsProject: true}
	secret := command("s", "x --token secret-1")

	DescribeTable("gets a server where", func(server setup.Server, wanted, place setup.Place) {
		Expect(configuration.Add(server, wanted)).To(Equal(place))
	},
		Entry("it fits", command("pw", "npx @playwright/mcp"), setup.Place{}, setup.Place{Toolbox: "browser", Description: "pw: a web browser that opens and operates pages"}),
		Entry("the user wants it", command("git", "x"), setup.Place{Toolbox: "b"}, setup.Place{Toolbox: "b"}),
		Entry("it fits, with the user's description", command("n", "x"), setup.Place{Description: "D"}, setup.Place{Toolbox: "n", Description: "D"}),
	)

	It("gets no server whose name is in use", func() {
		_, err := configuration.Add(command("git", "z"), setup.Place{})
		Expect(err).To(MatchError("a/git exists in c.json; run 'mcp-workbench remove a/git' first, or use another name"))
	})

	It("of a project gets no secret", func() {
		Expect(configuration.Add(secret, setup.Place{Toolbox: "b"})).Error().NotTo(HaveOccurred())
		Expect(project.Add(secret, setup.Place{})).Error().To(MatchError(ContainSubstring("belongs to a project")))
	})

	DescribeTable("finds a server", func(wanted, toolbox, found, reason string) {
		id, err := configuration.Find(wanted, toolbox)
		if reason != "" {
			Expect(err).To(MatchError(ContainSubstring(reason)))
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(id).To(Equal(domain.ServerID{Toolbox: domain.ToolboxName(found), Server: "double"}))
	},
		Entry("by a toolbox and a name", "a/double", "", "a", ""),
		Entry("by a name in a toolbox", "double", "b", "b", ""),
		Entry("not if two have the name", "double", "", "", "\"double\" is in several toolboxes; name one of a/double, b/double"),
		Entry("not in another toolbox", "git", "b", "", `c.json: no server "git" is configured`),
		Entry("not with a typing mistake, but suggests one", "gti", "", "", "did you mean 'a/git'?"),
	)

	It("finds no server if it is empty", func() {
		Expect(project.Find("x", "")).Error().To(MatchError(`p.json: no server "x" is configured; there is none`))
	})

	DescribeTable("has a scope", func(c setup.Configuration, scope, reason string) {
		if err := c.CheckScope(scope); reason == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(ContainSubstring(reason)))
		}
	},
		Entry("which need not be named", project, "", ""),
		Entry("of the user", configuration, "user", ""),
		Entry("of the project", project, "project", ""),
		Entry("that is another one", project, "user", "the configuration in use is p.json"),
		Entry("that is never local", configuration, "local", "the configuration in use is c.json"),
		Entry("with a known name", configuration, "team", "use user or project"),
	)
})

var _ = Describe("A host", func() {
	isSet := func(name string) bool { return name == "SET" }

	It("passes on the variables that the configuration refers to, and inherited variables that are set", func() {
		passed, skipped := setup.Passed([]string{"KEY"}, []string{"KEY", "SET", "UNSET"}, false, isSet)
		Expect(passed).To(Equal([]string{"KEY", "SET"}))
		Expect(skipped).To(Equal([]string{"UNSET"}))
	})

	It("that passes variables by name passes all of them", func() {
		passed, skipped := setup.Passed(nil, []string{"SET", "UNSET"}, true, isSet)
		Expect(passed).To(Equal([]string{"SET", "UNSET"}))
		Expect(skipped).To(BeEmpty())
	})
})

var _ = Describe("The configuration of a project", func() {
	It("gets no secret, whatever the kind of the server is", func() {
		configuration := setup.Configuration{Keys: described, Path: "c.json", IsProject: true}
		_, err := configuration.Add(setup.Server{Name: "s", Settings: read(`{"transport": "unix", "socket": "/a", "pass": "hunter2"}`)}, setup.Place{})
		Expect(err).To(MatchError(ContainSubstring("no secret is written into it")))
		_, err = configuration.Add(setup.Server{Name: "s", Settings: read(`{"transport": "unix", "socket": "/a", "pass": "${PASS}"}`)}, setup.Place{})
		Expect(err).NotTo(HaveOccurred())
	})
})
