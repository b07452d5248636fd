package lockfile_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

var _ = Describe("The locks beside the files of a configuration", func() {
	var main, more string
	var locks *lockfile.Locks
	server := func(toolbox domain.ToolboxName) domain.LockedServer {
		return domain.LockedServer{ID: domain.ServerID{Toolbox: toolbox, Server: "s"}, Instructions: []string{""}}
	}
	BeforeEach(func() {
		folder := GinkgoT().TempDir()
		main, more = filepath.Join(folder, "main", "c.json"), filepath.Join(folder, "more", "c.json")
		for _, path := range []string{main, more} {
			Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		}
		files := map[domain.ToolboxName]string{"a": main, "beside": filepath.Join(filepath.Dir(main), "x.json"), "b": more}
		locks = lockfile.NewLocks(main, files, func() (string, error) { return filepath.Join(folder, "locks"), nil })
	})

	It("are none if no file has one", func() {
		Expect(locks.Lock()).To(BeNil())
	})

	It("are one lock, of which each file has the toolboxes that it describes", func() {
		Expect(locks.Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("b"), server("beside")}})).To(Succeed())

		Expect(lockfile.Beside(main).Lock()).To(HaveField("Servers", ConsistOf(server("a"), server("beside"))))
		Expect(lockfile.Beside(more).Lock()).To(HaveField("Servers", ConsistOf(server("b"))))
		joined, err := locks.Lock()
		Expect(err).NotTo(HaveOccurred())
		Expect(joined.Servers).To(ConsistOf(server("a"), server("b"), server("beside")))
		Expect(locks.Lock()).To(BeIdenticalTo(joined))
		Expect(locks.Approve()).To(Succeed())
		_, approved := locks.Approval()
		Expect(approved).To(BeTrue())
	})

	It("say nothing about the toolboxes of other files", func() {
		Expect(lockfile.Beside(main).Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("b")}})).To(Succeed())

		Expect(locks.Lock()).To(HaveValue(Equal(domain.Lock{Servers: []domain.LockedServer{server("a")}, Without: []domain.ToolboxName{"b"}})))
	})

	It("keep what a file in another folder has about other toolboxes", func() {
		Expect(lockfile.Beside(more).Save(domain.Lock{Servers: []domain.LockedServer{server("a"), server("other")}})).To(Succeed())
		Expect(locks.Save(domain.Lock{Servers: []domain.LockedServer{server("b")}})).To(Succeed())

		Expect(lockfile.Beside(more).Lock()).To(HaveField("Servers", ConsistOf(server("a"), server("b"), server("other"))))
	})
})
