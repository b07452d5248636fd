package shell

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A place on the command line", func() {
	toolbox := func(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
		box := domain.Toolbox{Name: name}
		for _, server := range servers {
			box.Servers = append(box.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
		}
		return box
	}
	toolboxes := []domain.Toolbox{toolbox("dev", "files", "files/more"), toolbox("dev/x", "files")}

	DescribeTable("is found by the longest names that are configured",
		func(text, box, server, tool string) {
			place, err := FindPlace(toolboxes, text)

			Expect(err).NotTo(HaveOccurred())
			Expect([]string{string(place.Toolbox.Name), string(place.Server), place.Tool}).To(Equal([]string{box, server, tool}))
		},
		Entry(nil, "dev", "dev", "", ""),
		Entry(nil, "dev/", "dev", "", ""),
		Entry(nil, "dev/files", "dev", "files", ""),
		Entry(nil, "dev/files/read", "dev", "files", "read"),
		Entry(nil, "dev/files/more", "dev", "files/more", ""),
		Entry(nil, "dev/files/a/b", "dev", "files", "a/b"),
		Entry(nil, "dev/x/files", "dev/x", "files", ""),
	)

	It("that does not exist is a failure with what exists", func() {
		_, err := FindPlace(toolboxes, "ops/files")
		Expect(errors.Unwrap(errors.Unwrap(err))).To(Equal(&domain.ToolboxNotFoundError{Toolbox: "ops", Available: []string{"dev", "dev/x"}}))
		_, err = FindPlace(toolboxes, "dev/db/x")
		Expect(err).To(MatchError(domain.ErrServerNotFound))
		_, err = FindPlace(nil, "")
		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
	})
})
