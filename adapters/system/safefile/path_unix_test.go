//go:build unix

package safefile_test

import (
	"io/fs"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
)

var _ = Describe("A path that others can change", Label("X07"), func() {
	var home string

	BeforeEach(func() {
		var err error
		home, err = filepath.EvalSymlinks(GinkgoT().TempDir())
		Expect(err).NotTo(HaveOccurred())
	})

	folder := func(mode fs.FileMode, parts ...string) string {
		GinkgoHelper()
		path := filepath.Join(append([]string{home}, parts...)...)
		Expect(os.MkdirAll(path, 0o700)).To(Succeed())
		Expect(os.Chmod(path, mode)).To(Succeed())
		return path
	}
	file := func(parts ...string) string {
		GinkgoHelper()
		path := filepath.Join(append([]string{home}, parts...)...)
		Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		return path
	}

	It("does not exist below folders of the user", func() {
		own := folder(0o700, "own")

		Expect(safefile.PathExposure(file("own", "file"))).To(BeEmpty())
		Expect(safefile.PathExposure(filepath.Join(own, "later", "file"))).To(BeEmpty())
	})

	It("is exposed by a folder above it", func() {
		open := folder(0o777, "open")
		folder(0o700, "open", "own")

		Expect(safefile.PathExposure(file("open", "own", "file"))).To(Equal(open + ": every user on this machine can change the folder"))
	})

	It("is safe in a sticky folder, where only owners replace files", func() {
		folder(0o777|fs.ModeSticky, "sticky")

		Expect(safefile.PathExposure(file("sticky", "file"))).To(BeEmpty())
	})

	It("is exposed by a folder on the way through links", func() {
		open := folder(0o777, "open")
		folder(0o700, "own")
		file("open", "target")
		Expect(os.Symlink(filepath.Join("..", "open", "target"), filepath.Join(home, "own", "second"))).To(Succeed())
		Expect(os.Symlink("second", filepath.Join(home, "own", "first"))).To(Succeed())

		Expect(safefile.PathExposure(filepath.Join(home, "own", "first"))).To(Equal(open + ": every user on this machine can change the folder"))
	})

	It("is exposed by a circle of links", func() {
		loop := filepath.Join(home, "loop")
		Expect(os.Symlink("loop", loop)).To(Succeed())

		Expect(safefile.PathExposure(loop)).To(HavePrefix(loop + ": too many symbolic links"))
	})

	It("is removed before it is replaced, unless only the user can change it", func() {
		own, open := file("own"), file("open")
		Expect(os.Chmod(open, 0o666)).To(Succeed())

		safefile.RemoveExposed(own)
		safefile.RemoveExposed(open)

		Expect(own).To(BeAnExistingFile())
		Expect(open).NotTo(BeAnExistingFile())
	})
})
