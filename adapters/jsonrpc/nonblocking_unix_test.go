//go:build unix

package jsonrpc_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"mcp-workbench/adapters/jsonrpc"
)

// pipe returns the ends of a pipe. Writes to a waiting one block until there is
// room, as with a pipe that was inherited from another process.
func pipe(waiting bool) (read, write *os.File) {
	GinkgoHelper()
	read, write, err := os.Pipe()
	Expect(err).NotTo(HaveOccurred())
	if waiting {
		fd, err := unix.Dup(int(write.Fd()))
		Expect(err).NotTo(HaveOccurred())
		Expect(unix.SetNonblock(fd, false)).To(Succeed())
		Expect(write.Close()).To(Succeed())
		write = os.NewFile(uintptr(fd), "waiting")
	}
	DeferCleanup(func() { _, _ = read.Close(), write.Close() }) // closed by some specs
	return read, write
}

// flagsOf returns the flags of an open file, without changing them as Fd would.
func flagsOf(file *os.File) int {
	GinkgoHelper()
	conn, err := file.SyscallConn()
	Expect(err).NotTo(HaveOccurred())
	flags := 0
	Expect(conn.Control(func(fd uintptr) { flags, err = unix.FcntlInt(fd, unix.F_GETFL, 0) })).To(Succeed())
	Expect(err).NotTo(HaveOccurred())
	return flags
}

var _ = Describe("Writing without waiting", func() {
	for _, waiting := range []bool{false, true} {
		kind := "a nonblocking pipe"
		if waiting {
			kind = "a blocking pipe"
		}

		Context("to "+kind, func() {
			It("writes as much as fits, and returns the number of bytes", func() {
				read, write := pipe(waiting)
				attempt := jsonrpc.NonblockingWrite(write)
				line := []byte(strings.Repeat("0123456789", 100))
				sent := 0
				for {
					n := attempt(line)
					sent += n
					if n < len(line) {
						break
					}
				}
				Expect(attempt(line)).To(BeNumerically("<", len(line)))

				Expect(sent).To(BeNumerically(">=", 4<<10))
				received := make([]byte, sent)
				Expect(io.ReadFull(read, received)).To(Equal(sent))
				Expect(bytes.Equal(received, bytes.Repeat(line, sent/len(line)+1)[:sent])).To(BeTrue())
			})

			It("continues when there is room again", func() {
				read, write := pipe(waiting)
				attempt := jsonrpc.NonblockingWrite(write)
				full := bytes.Repeat([]byte{'x'}, 1<<20)
				sent := 0
				for n := attempt(full); n > 0; n = attempt(full) {
					sent += n
				}
				Expect(io.CopyN(io.Discard, read, int64(sent))).To(BeEquivalentTo(sent))

				Expect(attempt([]byte("again"))).To(Equal(5))

				received := make([]byte, 5)
				Expect(io.ReadFull(read, received)).To(Equal(5))
				Expect(string(received)).To(Equal("again"))
			})

			It("writes nothing and does not fail if there is no reader", func() {
				read, write := pipe(waiting)
				attempt := jsonrpc.NonblockingWrite(write)
				Expect(read.Close()).To(Succeed())

				Expect(attempt([]byte("line\n"))).To(BeZero())
			})

			It("leaves the file as it was", func() {
				_, write := pipe(waiting)
				before := flagsOf(write)

				jsonrpc.NonblockingWrite(write)([]byte("line\n"))

				Expect(flagsOf(write)).To(Equal(before))
				Expect(before&unix.O_NONBLOCK == 0).To(Equal(waiting))
			})
		})
	}

	It("appends to a file in order", func() {
		path := filepath.Join(GinkgoT().TempDir(), "out")
		file, err := os.Create(path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(file.Close)
		attempt := jsonrpc.NonblockingWrite(file)
		line := []byte(strings.Repeat("y", 1000))

		n := attempt(line)
		n += attempt(line[n:])

		Expect(n).To(Equal(len(line)))
		Expect(os.ReadFile(path)).To(Equal(line))
	})

	It("writes nothing to a closed file", func() {
		_, write := pipe(false)
		attempt := jsonrpc.NonblockingWrite(write)
		Expect(write.Close()).To(Succeed())

		Expect(attempt([]byte("line\n"))).To(BeZero())
	})
})
