package local

import (
	"errors"
	"net"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A port that another program uses", func() {
	It("fails with the option that chooses another one", func(ctx SpecContext) {
		taken, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(taken.Close)
		err = Command{Port: uint16(taken.Addr().(*net.TCPAddr).Port)}.Run(ctx)
		Expect(err).To(MatchError(ContainSubstring("choose another port with --port")))
		Expect(errors.Is(err, syscall.EADDRINUSE)).To(BeTrue())
	})
})
