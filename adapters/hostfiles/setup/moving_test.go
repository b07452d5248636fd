package setup

import (
	"errors"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

var _ = Describe("The lock of what moves", func() {
	const approved = `{"lockVersion":1,"toolboxes":{"of":{"before":{}}}}`
	var configuration, lock string
	BeforeEach(func() {
		configuration = filepath.Join(GinkgoT().TempDir(), "workbench.json")
		lock = filepath.Join(filepath.Dir(configuration), domain.LockName)
		Expect(os.WriteFile(lock, []byte(approved), 0o600)).To(Succeed())
	})

	It("is not replaced if it changed meanwhile", func() {
		err := (&movedLock{file: lockfile.Beside(configuration), before: []byte("before")}).during(func() error { Fail("the configuration is not written then"); return nil })

		Expect(err).To(MatchError(safefile.ErrChanged))
		Expect(os.ReadFile(lock)).To(BeEquivalentTo(approved))
	})

	It("is restored if the configuration cannot be written", func() {
		failure := errors.New("the disk is full")

		err := (&movedLock{file: lockfile.Beside(configuration), before: []byte(approved)}).during(func() error {
			Expect(os.ReadFile(lock)).NotTo(BeEquivalentTo(approved))
			return failure
		})

		Expect(err).To(MatchError(failure))
		Expect(os.ReadFile(lock)).To(BeEquivalentTo(approved))
	})
})
