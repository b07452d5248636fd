package domain

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A place that the user names", func() {
	server := func(toolbox ToolboxName, name ServerName) ServerID { return ServerID{Toolbox: toolbox, Server: name} }
	places := Places{
		Toolboxes: []ToolboxName{"dev", "dev/x", "ops"},
		Servers: []ServerID{
			server("dev", "files"), server("dev", "files/more"), server("dev/x", "files"), server("ops", "everything"), server("ops", "ops"), server("ops", "dev/x"),
		},
	}
	toolsOf := func(id ServerID) []string {
		return map[ServerName][]string{"everything": {"echo", "add"}, "ops": {"add"}}[id.Server]
	}

	DescribeTable("is found by the longest names that are configured",
		func(text string, toolbox ToolboxName, server ServerName, tool string) {
			Expect(places.Find(text, toolsOf)).To(Equal(Place{Toolbox: toolbox, Server: server, Tool: tool}))
		},
		Entry(nil, "dev", ToolboxName("dev"), ServerName(""), ""),
		Entry(nil, "dev/", ToolboxName("dev"), ServerName(""), ""),
		Entry(nil, "dev/files", ToolboxName("dev"), ServerName("files"), ""),
		Entry(nil, "dev/files/read", ToolboxName("dev"), ServerName("files"), "read"),
		Entry(nil, "dev/files/more", ToolboxName("dev"), ServerName("files/more"), ""),
		Entry(nil, "dev/files/a/b", ToolboxName("dev"), ServerName("files"), "a/b"),
		Entry(nil, "dev/x/files", ToolboxName("dev/x"), ServerName("files"), ""),
		Entry("a server that only one toolbox has", "everything", ToolboxName("ops"), ServerName("everything"), ""),
		Entry("a tool of it", "everything/a/b", ToolboxName("ops"), ServerName("everything"), "a/b"),
		Entry("a server with a slash that only one has", "files/more/read", ToolboxName("dev"), ServerName("files/more"), "read"),
		Entry("a toolbox rather than a server", "ops", ToolboxName("ops"), ServerName(""), ""),
		Entry("a tool of the server that has the name of its toolbox", "ops/query", ToolboxName("ops"), ServerName("ops"), "query"),
	)

	DescribeTable("that does not exist is a failure with what was meant",
		func(text string, failure error, message string) {
			_, err := places.Find(text, toolsOf)

			Expect(err).To(MatchError(message))
			if failure != nil {
				Expect(err).To(MatchError(failure))
			}
		},
		Entry("a server that several toolboxes have", "files/read", nil, `"files/read" is in several toolboxes; name one of dev/files/read, dev/x/files/read`),
		Entry("a toolbox", "obs/files", ErrToolboxNotFound, `toolbox "obs" not found; did you mean 'ops'?`),
		Entry("a server", "evrything/echo", ErrToolboxNotFound, `toolbox "evrything" not found; did you mean 'ops/everything/echo'?`),
		Entry("a tool that a server was seen with", "echo", ErrToolboxNotFound, `toolbox "echo" not found; did you mean 'ops/everything/echo'?`),
		Entry("a tool that several were seen with", "add", ErrToolboxNotFound, `toolbox "add" not found; did you mean 'ops/everything/add' or 'ops/ops/add'?`),
		Entry("nothing that is known", "production/x", ErrToolboxNotFound, `toolbox "production" not found; there are dev, dev/x, ops`),
		Entry("a server of its toolbox", "ops/evrything/x", ErrServerNotFound, `server "evrything" not found in toolbox "ops"; did you mean 'everything'?`),
		Entry("a server of another toolbox", "dev/everything/echo", ErrServerNotFound,
			`server "everything" not found in toolbox "dev"; did you mean 'ops/everything/echo'?`),
		Entry("a server with the name of another toolbox", "dev/x/query", ErrServerNotFound, `server "query" not found in toolbox "dev/x"; did you mean 'ops/dev/x/query'?`),
		Entry("no server", "dev/db", ErrServerNotFound, `server "db" not found in toolbox "dev"; there are files, files/more`),
	)

	It("is nothing where nothing is configured", func() {
		_, err := Places{}.Find("", nil)

		Expect(err).To(MatchError(ErrToolboxNotFound))
	})

	DescribeTable("may be a toolbox or a server",
		func(text string, found ServerID, message string) {
			id, err := places.FindConfigured(text)

			Expect(id).To(Equal(found))
			if message != "" {
				Expect(err).To(MatchError(message))
			}
		},
		Entry("a toolbox by its name", "dev", ServerID{Toolbox: "dev"}, ""),
		Entry("a toolbox rather than a server", "ops", ServerID{Toolbox: "ops"}, ""),
		Entry("a server by its path", "ops/ops", server("ops", "ops"), ""),
		Entry("a server by a name that only one has", "everything", server("ops", "everything"), ""),
		Entry("but not by a name that several have", "files", ServerID{}, `"files" is in several toolboxes; name one of dev/files, dev/x/files`),
		Entry("but no misspelt one", "dve", ServerID{}, `no toolbox or server "dve" is configured; did you mean 'dev'?`),
	)

	DescribeTable("may be a server",
		func(text string, found ServerID, message string) {
			id, err := places.FindServer(text)

			Expect(id).To(Equal(found))
			if message != "" {
				Expect(err).To(MatchError(message))
			}
		},
		Entry("by its path", "dev/x/files", server("dev/x", "files"), ""),
		Entry("by a name that only one has", "everything", server("ops", "everything"), ""),
		Entry("rather than a toolbox", "ops", server("ops", "ops"), ""),
		Entry("but not by a name that several have", "files", ServerID{}, `"files" is in several toolboxes; name one of dev/files, dev/x/files`),
		Entry("but no toolbox", "dev", ServerID{}, `"dev" does not name a server; name one as TOOLBOX/SERVER`),
		Entry("but no misspelt one", "evrything", ServerID{}, `no server "evrything" is configured; did you mean 'ops/everything'?`),
		Entry("but none that does not exist", "db", ServerID{},
			`no server "db" is configured; there are dev/files, dev/files/more, dev/x/files, ops/everything, ops/ops, ops/dev/x`),
	)
})
