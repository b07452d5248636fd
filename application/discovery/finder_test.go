package discovery_test

import (
	"encoding/json"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/discovery"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// catalog has the toolboxes of a configuration.
type catalog []domain.Toolbox

func (c *catalog) Toolboxes() []domain.Toolbox { return *c }

func (c *catalog) Toolbox(domain.ToolboxName) (domain.Toolbox, error) {
	return domain.Toolbox{}, domain.ErrToolboxNotFound
}

func (c *catalog) Problems() []domain.ConfigurationProblem { return nil }

// running has the tools of servers that are up.
type running map[domain.ServerID][]domain.ToolInfo

func (r running) Listed(id domain.ServerID) ([]domain.ToolInfo, bool) {
	tools, known := r[id]
	return tools, known
}

// kept has the tools that servers listed before, and counts the lookups.
type kept struct {
	tools   map[domain.ServerID][]domain.ToolInfo
	texts   map[domain.ServerID]string
	lookups int
}

func (k *kept) Find(server domain.Server, _ json.RawMessage) (ports.KeptList, bool) {
	k.lookups++
	tools, known := k.tools[server.ID]
	return ports.KeptList{Tools: tools, Instructions: k.texts[server.ID]}, known
}

func (k *kept) Keep(server domain.Server, _ json.RawMessage, list ports.KeptList) {
	k.tools[server.ID] = list.Tools
	if k.texts != nil {
		k.texts[server.ID] = list.Instructions
	}
}

func (k *kept) Forget(server domain.Server, _ json.RawMessage) { delete(k.tools, server.ID) }

func tools(names ...string) (tools []domain.ToolInfo) {
	for _, name := range names {
		tools = append(tools, domain.ToolInfo{
			Name: name, Shown: name, Definition: json.RawMessage(`{"name":"` + name + `","description":"Works.","outputSchema":{}}`),
		})
	}
	return tools
}

func toolbox(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
	created := domain.Toolbox{Name: name}
	for _, server := range servers {
		created.Servers = append(created.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
	}
	return created
}

var _ = Describe("A finder of tools", func() {
	var (
		configured catalog
		up         running
		before     *kept
		finder     *discovery.Finder
	)
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	BeforeEach(func() {
		configured, up, before = catalog{toolbox("dev", "files")}, running{}, &kept{tools: map[domain.ServerID][]domain.ToolInfo{}}
		finder = discovery.NewFinder(&configured, up, nil, before)
	})
	found := func(query string) []string {
		names := []string{}
		for _, finding := range finder.FindTools(query).Found {
			names = append(names, finding.Server.Path()+"/"+finding.Tool.Name)
		}
		return names
	}

	It("finds the tools of a server that is up, otherwise those that it listed last, if any", func() {
		Expect(found("work")).To(BeEmpty())
		Expect(finder.FindTools("dev").Unlisted).To(Equal([]domain.ToolboxName{"dev"}))

		up[files] = tools("read")
		Expect(found("work")).To(Equal([]string{"dev/files/read"}))
		up[files] = tools("read", "write")
		Expect(found("work")).To(Equal([]string{"dev/files/read", "dev/files/write"}))
		Expect(finder.FindTools("work").Unlisted).To(BeEmpty())

		delete(up, files)
		before.tools[files] = tools("write")
		Expect(found("work")).To(Equal([]string{"dev/files/write"}))
	})

	It("reads kept tools once, until the settings of the server change or the server was up", func() {
		before.tools[files] = tools("write")
		for range 3 {
			Expect(found("work")).To(HaveLen(1))
		}
		Expect(before.lookups).To(Equal(1))

		up[files] = tools("read")
		Expect(found("work")).To(Equal([]string{"dev/files/read"}))
		delete(up, files)
		before.tools[files] = tools("read", "write")
		Expect(found("work")).To(HaveLen(2))

		changed := toolbox("dev", "files")
		changed.Servers[0].Transport = "http"
		configured = catalog{changed}
		delete(before.tools, files)
		Expect(found("work")).To(BeEmpty())
	})

	It("follows the configuration", func() {
		up[files] = tools("read")
		Expect(found("office")).To(BeEmpty())

		configured = catalog{toolbox("dev", "files"), toolbox("office", "papers")}
		Expect(found("office")).To(HaveLen(1))
		configured = catalog{{Name: "other", Description: "An office", Servers: toolbox("other", "x").Servers}}
		Expect(found("office")).To(HaveLen(1))
		Expect(found("read")).To(BeEmpty())
	})

	It("keeps only the members of definitions that searches and signatures need", func() {
		discovery.Keep(before, toolbox("dev", "files").Servers[0], append(tools("read"), domain.ToolInfo{Definition: []byte(`{}`)}))

		Expect(before.tools[files]).To(HaveLen(1))
		Expect(string(before.tools[files][0].Definition)).To(Equal(`{"name":"read","description":"Works."}`))
	})

	It("answers many searches at the same time", func() {
		up[files] = tools("read")
		var searches sync.WaitGroup
		for range 8 {
			searches.Go(func() { _ = finder.FindTools("work") })
		}
		searches.Wait()
	})
})
