package terminal_test

import (
	"io/fs"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/windows"

	"mcp-workbench/adapters/terminal"
)

// gone is the failure to write to a pipe that is no longer read.
var gone error = windows.ERROR_NO_DATA

var _ = DescribeTable("Standard output is closed on Windows", func(closed bool, err error) {
	Expect(terminal.IsClosed(&fs.PathError{Op: "write", Path: "/dev/stdout", Err: err})).To(Equal(closed))
},
	Entry("when its reader is gone", true, windows.ERROR_BROKEN_PIPE),
	Entry("when its reader is closing", true, windows.ERROR_NO_DATA),
	Entry("not when a disk is full", false, windows.ERROR_DISK_FULL),
)

var _ = It("Standard output has the name by which its failures are recognised", func() {
	Expect(os.Stdout.Name()).To(Equal("/dev/stdout"))
})
