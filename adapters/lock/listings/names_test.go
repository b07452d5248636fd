package listings_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/listings"
	"mcp-workbench/domain"
)

// tools returns tools without arguments.
func tools(names ...string) []domain.ToolInfo {
	var tools []domain.ToolInfo
	for _, name := range names {
		tools = append(tools, domain.ToolInfo{Name: name, Shown: name, Definition: json.RawMessage(`{}`)})
	}
	return tools
}

var _ = Describe("The names of tools that a command listed", func() {
	server := domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Configured: json.RawMessage(`{"command":"files"}`)}
	var directory string
	var folder *listings.Folder
	BeforeEach(func() {
		directory = filepath.Join(GinkgoT().TempDir(), "listings")
		folder = listings.New(func() (string, error) { return directory, nil }, "/c.json", "", slog.New(slog.DiscardHandler))
	})

	It("are known afterwards, apart from the listings that hosts are shown", func() {
		Expect(folder.Names(server)).To(BeEmpty())
		Expect(folder.KeepNames(server, tools("write", "read", "", "read"))).To(Succeed())

		Expect(folder.Names(server)).To(Equal([]string{"write", "read"}))
		_, known := folder.Find(server, json.RawMessage(`{}`))
		Expect(known).To(BeFalse())
	})

	It("come with the names of their arguments", func() {
		Expect(folder.KeepNames(server, []domain.ToolInfo{
			{Name: "write", Shown: "write", Definition: json.RawMessage(`{"name":"write","inputSchema":{"properties":{"path":{"type":"string"},"text":{}}}}`)},
			{Name: "odd", Shown: "odd", Definition: json.RawMessage(`{"name":"odd","inputSchema":{"properties":7}}`)},
		})).To(Succeed())

		Expect(folder.Keys(server, "write")).To(Equal([]string{"path", "text"}))
		Expect(folder.Keys(server, "odd")).To(BeEmpty())
		Expect(folder.Keys(server, "none")).To(BeEmpty())
		Expect(folder.Names(server)).To(Equal([]string{"write", "odd"}))
	})

	It("are those of the server with its settings, in one configuration", func() {
		Expect(folder.KeepNames(server, tools("read"))).To(Succeed())

		other := server
		other.Configured = json.RawMessage(`{"command":"other"}`)
		Expect(folder.Names(other)).To(BeEmpty())
		elsewhere := listings.New(func() (string, error) { return directory, nil }, "/other.json", "", slog.New(slog.DiscardHandler))
		Expect(elsewhere.Names(server)).To(BeEmpty())
	})

	It("are not kept where there is no folder for them, with the reason", func() {
		Expect(os.WriteFile(directory, nil, 0o600)).To(Succeed())

		Expect(folder.KeepNames(server, tools("read"))).NotTo(Succeed())
		Expect(folder.Names(server)).To(BeEmpty())
	})
})
