package shell

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A place on the command line", func() {
	files := domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Transport: "stdio"}
	toolboxes := []domain.Toolbox{{Name: "dev", Servers: []domain.Server{files}}}

	It("has its toolbox as it is configured, and a server too", func() {
		Expect(FindPlace(toolboxes, "files/read", nil)).To(Equal(Place{Toolbox: toolboxes[0], Server: "files", Tool: "read"}))
		Expect(FindServer(toolboxes, "files")).To(Equal(files))
		Expect(FindServers(toolboxes, []string{"files"})).To(Equal([]domain.ServerID{files.ID}))
	})

	It("that is disabled says which command enables it", func() {
		disabled := []domain.Toolbox{{Name: "dev", Disabled: []domain.ServerName{"old"}}, {Name: "off", Disabled: []domain.ServerName{"x"}}}
		for text, path := range map[string]string{"dev/old": "dev/old", "old/read": "dev/old", "off": "off", "off/x/read": "off/x"} {
			Expect(CheckEnabled(disabled, text)).To(And(HaveField("Kind", Usage), MatchError(path+" is disabled; 'mcp-workbench enable "+path+"' enables it")), text)
		}
		Expect(CheckEnabled(disabled, "dev/files")).To(Succeed())
	})

	It("that does not exist is wrong usage, with tools that were seen", func() {
		seen := func(server domain.Server) []string {
			Expect(server).To(Equal(files))
			return []string{"read"}
		}

		_, err := FindPlace(toolboxes, "read", seen)
		Expect(err).To(And(HaveField("Kind", Usage), MatchError(domain.ErrToolboxNotFound), MatchError(ContainSubstring("did you mean 'dev/files/read'?"))))
		_, err = FindServer(toolboxes, "filse")
		Expect(err).To(And(HaveField("Kind", Usage), MatchError(ContainSubstring("did you mean 'dev/files'?"))))
		_, err = FindPlace(nil, "x", nil)
		Expect(err).To(And(HaveField("Kind", Usage), MatchError(ContainSubstring("'mcp-workbench init' imports"))))
	})
})
