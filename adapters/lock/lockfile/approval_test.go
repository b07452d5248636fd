package lockfile_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

var _ = Describe("An approval of a lock", Label("TP04"), func() {
	var folder, approvals string
	open := func() *lockfile.File {
		return lockfile.Beside(filepath.Join(folder, "c.json")).ApprovedIn(func() (string, error) { return approvals, nil })
	}
	// running is a program that read the lock.
	running := func() *lockfile.File {
		GinkgoHelper()
		file := open()
		Expect(file.Lock()).NotTo(BeNil())
		return file
	}
	approve := func(lock domain.Lock) {
		GinkgoHelper()
		file := open()
		Expect(file.Save(lock)).To(Succeed())
		Expect(file.Approve()).To(Succeed())
	}
	locked := domain.Lock{Servers: []domain.LockedServer{{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}}}

	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		approvals = filepath.Join(GinkgoT().TempDir(), "state", "locks")
	})

	It("is for the bytes that were saved, and another one each time", func() {
		approve(locked)
		first, ofLock := running().Approval()
		Expect(ofLock).To(BeTrue())

		approve(locked)
		second, ofLock := running().Approval()
		Expect(ofLock).To(BeTrue())
		Expect(second).NotTo(Equal(first))

		Expect(open().Save(domain.Lock{})).To(Succeed())
		third, ofLock := running().Approval()
		Expect(ofLock).To(BeFalse())
		Expect(third).To(Equal(second))
	})

	It("does not exist without a place, a file or a text that can be read", func() {
		Expect(open().Save(locked)).To(Succeed())
		without := lockfile.Beside(filepath.Join(folder, "c.json"))
		Expect(without.Approve()).To(MatchError("there is no place for approvals"))
		for _, file := range []*lockfile.File{without, running()} {
			which, ofLock := file.Approval()
			Expect(which).To(BeEmpty())
			Expect(ofLock).To(BeFalse())
		}

		approve(locked)
		places, err := os.ReadDir(approvals)
		Expect(err).NotTo(HaveOccurred())
		Expect(places).To(HaveLen(1))
		Expect(os.WriteFile(filepath.Join(approvals, places[0].Name()), []byte("{"), 0o600)).To(Succeed())
		_, ofLock := running().Approval()
		Expect(ofLock).To(BeFalse())
	})

	It("does not count where others can write it", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files")
		}
		approve(locked)
		file := running()

		Expect(os.Chmod(approvals, 0o777)).To(Succeed()) //nolint:gosec // this is the attack

		_, ofLock := file.Approval()
		Expect(ofLock).To(BeFalse())
		Expect(file.Approve()).To(MatchError(ContainSubstring("every user on this machine can change the folder")))
	})
})
