package terminal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

var _ = DescribeTable("Standard output is closed", func(closed bool, err error) {
	Expect(terminal.IsClosed(err)).To(Equal(closed))
},
	Entry("when its reader is gone", true, fmt.Errorf("print: %w", &fs.PathError{Op: "write", Path: "/dev/stdout", Err: gone})),
	Entry("not when another pipe broke", false, &fs.PathError{Op: "write", Path: "|1", Err: gone}),
	Entry("not when a disk is full", false, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}),
	Entry("not after other failures", false, errors.New("write /dev/stdout: broken pipe")),
)
