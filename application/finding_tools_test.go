package application_test

import (
	"encoding/json"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// changingCatalog has the toolboxes of a configuration.
type changingCatalog []domain.Toolbox

func (c *changingCatalog) Toolboxes() []domain.Toolbox { return *c }

func (c *changingCatalog) Toolbox(domain.ToolboxName) (domain.Toolbox, error) {
	return domain.Toolbox{}, domain.ErrToolboxNotFound
}

func (c *changingCatalog) Disabled() []domain.Toolbox { return nil }

func (c *changingCatalog) Problems() []domain.ConfigurationProblem { return nil }

// listedTools has the tools of servers that are up.
type listedTools map[domain.ServerID][]domain.ToolInfo

func (r listedTools) Listed(id domain.ServerID) ([]domain.ToolInfo, bool) {
	tools, known := r[id]
	return tools, known
}

// keptListings has the tools that servers listed before, and counts the lookups.
type keptListings struct {
	tools   map[domain.ServerID][]domain.ToolInfo
	texts   map[domain.ServerID]string
	lookups int
}

func (k *keptListings) Find(server domain.Server, _ json.RawMessage) (ports.KeptList, bool) {
	k.lookups++
	tools, known := k.tools[server.ID]
	return ports.KeptList{Tools: tools, Instructions: k.texts[server.ID]}, known
}

func (k *keptListings) Keep(server domain.Server, _ json.RawMessage, list ports.KeptList) {
	k.tools[server.ID] = list.Tools
	if k.texts != nil {
		k.texts[server.ID] = list.Instructions
	}
}

func (k *keptListings) Forget(server domain.Server, _ json.RawMessage) { delete(k.tools, server.ID) }

// workingTools returns tools of these names.
func workingTools(names ...string) (tools []domain.ToolInfo) {
	for _, name := range names {
		tools = append(tools, domain.ToolInfo{
			Name: name, Shown: name, Definition: json.RawMessage(`{"name":"` + name + `","description":"Works.","outputSchema":{}}`),
		})
	}
	return tools
}

var _ = Describe("A finder of tools", func() {
	var (
		configured changingCatalog
		up         listedTools
		before     *keptListings
		finder     *application.ToolFinder
	)
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	BeforeEach(func() {
		configured, up, before = changingCatalog{toolbox("dev", "files")}, listedTools{}, &keptListings{tools: map[domain.ServerID][]domain.ToolInfo{}}
		finder = application.NewToolFinder(application.NewToolIndexes(), &configured, up, nil, nil, before)
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
		Expect(finder.FindTools("dev").NotSearched).To(Equal([]domain.UnsearchedServer{{Server: files, Why: domain.UnsearchedUnlisted}}))

		up[files] = workingTools("read")
		Expect(found("work")).To(Equal([]string{"dev/files/read"}))
		up[files] = workingTools("read", "write")
		Expect(found("work")).To(Equal([]string{"dev/files/read", "dev/files/write"}))
		Expect(finder.FindTools("work").NotSearched).To(BeEmpty())

		delete(up, files)
		before.tools[files] = workingTools("write")
		Expect(found("work")).To(Equal([]string{"dev/files/write"}))
	})

	It("reads kept tools once, until the settings of the server change or the server was up", func() {
		before.tools[files] = workingTools("write")
		for range 3 {
			Expect(found("work")).To(HaveLen(1))
		}
		Expect(before.lookups).To(Equal(1))

		up[files] = workingTools("read")
		Expect(found("work")).To(Equal([]string{"dev/files/read"}))
		delete(up, files)
		before.tools[files] = workingTools("read", "write")
		Expect(found("work")).To(HaveLen(2))

		changed := toolbox("dev", "files")
		changed.Servers[0].Transport = "http"
		configured = changingCatalog{changed}
		delete(before.tools, files)
		Expect(found("work")).To(BeEmpty())
	})

	It("follows the configuration", func() {
		up[files] = workingTools("read")
		Expect(found("office")).To(BeEmpty())

		configured = changingCatalog{toolbox("dev", "files"), toolbox("office", "papers")}
		Expect(found("office")).To(HaveLen(1))
		configured = changingCatalog{{Name: "other", Description: "An office", Servers: toolbox("other", "x").Servers}}
		Expect(found("office")).To(HaveLen(1))
		Expect(found("read")).To(BeEmpty())
	})

	It("keeps only the members of definitions that searches and signatures need", func() {
		application.KeepTools(before, toolbox("dev", "files").Servers[0], append(workingTools("read"), domain.ToolInfo{Definition: []byte(`{}`)}))

		Expect(before.tools[files]).To(HaveLen(1))
		Expect(string(before.tools[files][0].Definition)).To(Equal(`{"name":"read","description":"Works."}`))
	})

	It("shares an index with hosts that see the same tools, and keeps those that were searched last", Label("SH02"), func() {
		indexes := application.NewToolIndexes()
		application.KeepIndexed(indexes, 3)
		search := func(up listedTools) int {
			of := application.NewToolFinder(indexes, &configured, up, nil, nil, before)
			Expect(of.FindTools("work").Found).To(HaveLen(len(up[files])))
			return application.CountIndexes(indexes)
		}
		first, second, third := listedTools{files: workingTools("a", "b")}, listedTools{files: workingTools("c")}, listedTools{files: workingTools("d")}

		Expect([]int{search(first), search(first), search(second), search(first), search(third)}).To(Equal([]int{1, 1, 2, 2, 2}))
		Expect(search(first)).To(Equal(2), "it was searched after the second")
		Expect(search(listedTools{files: workingTools("a", "b", "c", "d")})).To(Equal(1), "one is kept, however large it is")
	})

	It("answers many searches at the same time", func() {
		up[files] = workingTools("read")
		var searches sync.WaitGroup
		for range 8 {
			searches.Go(func() { _ = finder.FindTools("work") })
		}
		searches.Wait()
	})
})
