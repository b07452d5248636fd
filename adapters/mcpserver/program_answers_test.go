package mcpserver_test

import (
	"errors"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

var _ = Describe("An answer of open_toolbox to several hosts", func() {
	opened := func(name domain.ToolboxName, more ...domain.OpenedServer) domain.OpenedToolbox {
		return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: name, Description: "x"}, Servers: more}
	}

	It("is held once for all hosts that are shown the same, whatever others are shown in between", func() {
		next := mcpserver.NewHostsAnswers()
		whole, names := wording.Showing{Form: definitions.Full}, wording.Showing{Form: definitions.Names}

		first := next(opened("dev"), whole)
		next(opened("dev"), names)
		next(opened("web"), whole)
		Expect(&next(opened("dev"), whole)[0]).To(BeIdenticalTo(&first[0]))
	})

	It("is a different one for a host that is shown something else", func() {
		next := mcpserver.NewHostsAnswers()
		next(opened("dev"), wording.Showing{})
		id := domain.ServerID{Toolbox: "dev", Server: "files"}
		failed := domain.OpenedServer{ID: id, Failure: &domain.ServerUnavailableError{ID: id, Reason: errors.New("gone")}}
		Expect(next(opened("dev", failed), wording.Showing{})).To(ContainSubstring("gone"))
	})

	It("is not kept once no host has it", func() {
		count := mcpserver.CountAnswers([]domain.OpenedToolbox{opened("dev"), opened("web")})
		Eventually(func() int {
			runtime.GC()
			return count()
		}).Should(BeZero())
	})
})
