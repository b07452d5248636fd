package listings_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/listings"
	"mcp-workbench/domain"
)

var _ = Describe("The names of tools that a command listed", func() {
	server := domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Configured: json.RawMessage(`{"command":"files"}`)}
	var directory string
	var folder *listings.Folder
	BeforeEach(func() {
		directory = filepath.Join(GinkgoT().TempDir(), "listings")
		folder = listings.New(func() (string, error) { return directory, nil }, "/c.json", slog.New(slog.DiscardHandler))
	})

	It("are known afterwards, apart from the listings that hosts are shown", func() {
		Expect(folder.Names(server)).To(BeEmpty())
		Expect(folder.KeepNames(server, []string{"write", "read", "", "read"})).To(Succeed())

		Expect(folder.Names(server)).To(Equal([]string{"write", "read"}))
		_, known := folder.Find(server, json.RawMessage(`{}`))
		Expect(known).To(BeFalse())
	})

	It("are those of the server with its settings, in one configuration", func() {
		Expect(folder.KeepNames(server, []string{"read"})).To(Succeed())

		other := server
		other.Configured = json.RawMessage(`{"command":"other"}`)
		Expect(folder.Names(other)).To(BeEmpty())
		elsewhere := listings.New(func() (string, error) { return directory, nil }, "/other.json", slog.New(slog.DiscardHandler))
		Expect(elsewhere.Names(server)).To(BeEmpty())
	})

	It("are not kept where there is no folder for them, with the reason", func() {
		Expect(os.WriteFile(directory, nil, 0o600)).To(Succeed())

		Expect(folder.KeepNames(server, []string{"read"})).NotTo(Succeed())
		Expect(folder.Names(server)).To(BeEmpty())
	})
})
