//go:build unix

package safefile_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Opening a file", Label("TS01"), func() {
	DescribeTable("is refused immediately if it is", func(place func(folder string) string, message string) {
		path := place(GinkgoT().TempDir())

		for _, open := range []func(string) (*os.File, error){safefile.Open, safefile.OpenGiven} {
			_, err := open(path)
			Expect(err).To(MatchError("read " + path + ": " + message))
		}
		_, err := safefile.ReadFile(path)
		Expect(err).To(MatchError("read " + path + ": " + message))
	},
		Entry("a pipe without a writer", func(folder string) string {
			path := filepath.Join(folder, "pipe")
			Expect(syscall.Mkfifo(path, 0o600)).To(Succeed())
			return path
		}, "it is a pipe, not a regular file"),
		Entry("a link to a pipe", func(folder string) string {
			path := filepath.Join(folder, "pipe")
			Expect(syscall.Mkfifo(path, 0o600)).To(Succeed())
			Expect(os.Symlink(path, path+".link")).To(Succeed())
			return path + ".link"
		}, "it is a pipe, not a regular file"),
		Entry("a socket", func(folder string) string {
			path := filepath.Join(folder, "socket")
			listener := spec.Must(net.Listen("unix", path))
			DeferCleanup(listener.Close)
			return path
		}, "it is a socket, not a regular file"),
		Entry("an endless device", func(string) string { return "/dev/zero" }, "it is a device, not a regular file"),
		Entry("a folder", func(folder string) string { return folder }, "it is a directory, not a regular file"),
	)

	It("accepts a pipe among the descriptors of the program only as a given path", func() {
		reader, writer, err := os.Pipe()
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(reader.Close)
		DeferCleanup(writer.Close)
		path := fmt.Sprintf("/dev/fd/%d", reader.Fd())

		file := spec.Must(safefile.OpenGiven(path))
		DeferCleanup(file.Close)
		_, err = safefile.Open(path)
		Expect(err).To(MatchError(safefile.ErrNotRegular))
	})

	It("reads a file up to a limit", func() {
		path := filepath.Join(GinkgoT().TempDir(), "file")
		Expect(os.WriteFile(path, []byte("four"), 0o600)).To(Succeed())

		Expect(safefile.ReadUpTo(path, 4)).To(BeEquivalentTo("four"))
		_, err := safefile.ReadUpTo(path, 3)
		Expect(err).To(MatchError("read " + path + ": it is larger than 3 bytes"))
	})
})
