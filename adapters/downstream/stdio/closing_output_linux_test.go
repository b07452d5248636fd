package stdio_test

import (
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
)

var _ = Describe("Closing the output of a server", func() {
	const rounds = 2_000

	open := func() (read, write *os.File) {
		GinkgoHelper()
		read, write, err := stdio.OutputPipe()
		Expect(err).NotTo(HaveOccurred())
		return read, write
	}

	It("ends its reader, though a descendant keeps it open", func() {
		for range rounds {
			read, write := open()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = io.Copy(io.Discard, read) // how it ends does not matter
			}()

			Expect(stdio.CloseOutput(read)).To(Succeed())

			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				Fail("the reader did not notice")
			}
			Expect(write.Close()).To(Succeed())
		}
	})

	It("does not touch a pipe that got its descriptor number meanwhile", func() {
		over := make(chan struct{})
		var others sync.WaitGroup
		for range 4 {
			others.Go(func() {
				defer GinkgoRecover()
				usePipes(over)
			})
		}
		for range 2 * rounds {
			read, write := open()
			var closing sync.WaitGroup
			for range 4 { // as when a server is stopped while it is lost
				closing.Go(func() { _ = stdio.CloseOutput(read) })
			}
			closing.Wait()
			Expect(write.Close()).To(Succeed())
		}
		close(over)
		others.Wait()
	})
})

// usePipes makes pipes without writers, until it is over. Each is held
// open for a while.
func usePipes(over <-chan struct{}) {
	var held [][2]int
	for {
		select {
		case <-over:
			closeUnused(held)
			return
		default:
		}
		var ends [2]int
		Expect(syscall.Pipe2(ends[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK)).To(Succeed())
		if held = append(held, ends); len(held) > 16 {
			closeUnused(held[:1])
			held = held[1:]
		}
	}
}

// closeUnused closes pipes that were never written to.
func closeUnused(pipes [][2]int) {
	for _, ends := range pipes {
		_, err := syscall.Read(ends[0], make([]byte, 8))
		Expect(err).To(Equal(syscall.EAGAIN), "something was written to another pipe")
		Expect(syscall.Close(ends[0])).To(Succeed())
		Expect(syscall.Close(ends[1])).To(Succeed())
	}
}
