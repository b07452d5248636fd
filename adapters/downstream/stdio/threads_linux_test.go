package stdio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"mcp-workbench/tests/fixtures/script"
)

// threadsIn counts the threads of this process that are in a system call.
func threadsIn(call int) (count int) {
	GinkgoHelper()
	threads, err := filepath.Glob("/proc/self/task/*/syscall")
	Expect(err).NotTo(HaveOccurred())
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if os.IsPermission(err) {
			Skip("this kernel does not say what a thread does: " + err.Error())
		}
		if strings.HasPrefix(string(text), fmt.Sprint(call, " ")) {
			count++
		}
	}
	return count
}

var _ = It("The end of a server is waited for without a thread of its own", func() {
	if descriptor, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		Skip("this kernel has no descriptors for processes: " + err.Error())
	} else {
		Expect(unix.Close(descriptor)).To(Succeed())
	}
	for range 5 {
		connect(playing(script.Script{}, nil))
	}
	Expect(threadsIn(unix.SYS_WAITID) + threadsIn(unix.SYS_WAIT4)).To(BeZero())
})
