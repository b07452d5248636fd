//go:build unix

package safefile_test

import (
	"io/fs"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
)

var _ = Describe("A file that others can change", Label("X07"), func() {
	const (
		me, other = 1000, 1001
		root      = 0
		myGroup   = me
		staff     = 50
	)

	DescribeTable("is exposed",
		func(mode fs.FileMode, owner, group int, warning string) {
			Expect(safefile.ExposureFor("file", mode, uint32(owner), uint32(group), me)).To(Equal(warning))
		},
		Entry("when everybody can", fs.FileMode(0o646), me, myGroup, "every user on this machine can change the file"),
		Entry("when a group can", fs.FileMode(0o660), me, staff, "the group of the file can change it"),
		Entry("when it belongs to another user", fs.FileMode(0o644), other, staff, "the file belongs to another user"),
		Entry("never when only its owner can", fs.FileMode(0o644), me, staff, ""),
		Entry("never when the group is the owner's own", fs.FileMode(0o664), me, myGroup, ""),
		Entry("never when the group is the user's own", fs.FileMode(0o664), root, myGroup, ""),
		Entry("never when it belongs to root", fs.FileMode(0o644), root, root, ""),
	)

	It("may be a folder, unless that is sticky", func() {
		look := func(mode fs.FileMode) string {
			GinkgoHelper()
			folder := GinkgoT().TempDir()
			Expect(os.Chmod(folder, mode)).To(Succeed())
			info, err := os.Stat(folder)
			Expect(err).NotTo(HaveOccurred())
			return safefile.Exposure(info)
		}

		Expect(look(0o777)).To(Equal("every user on this machine can change the folder"))
		Expect(look(0o777 | fs.ModeSticky)).To(BeEmpty())
		Expect(look(0o755)).To(BeEmpty())
	})
})
