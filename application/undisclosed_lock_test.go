package application_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

var _ = Describe("A lock that cannot be used, where some hosts may not know all servers", Label("T04"), func() {
	It("does not tell a host the reason, and logs it once for the operator", func() {
		pins := &fakePins{err: &domain.LockBrokenError{Path: "workbench.lock.json", Reason: "server 'vault' of toolbox 'secret' is not an object"}}
		var noted []error
		undisclosed := pinning.Undisclosed(pins, func(err error) { noted = append(noted, err) })

		_, first := undisclosed.Lock()
		_, again := undisclosed.Lock()

		var broken *domain.LockBrokenError
		Expect(errors.As(first, &broken)).To(BeTrue())
		Expect(broken.Path).To(Equal("workbench.lock.json"))
		Expect(broken.Reason).NotTo(Or(ContainSubstring("vault"), ContainSubstring("secret")))
		Expect(again).To(BeIdenticalTo(first), "it is the same failure")
		Expect(noted).To(HaveExactElements(MatchError(ContainSubstring("vault"))))

		pins.err = nil
		pins.lock = &domain.Lock{}
		lock, err := undisclosed.Lock()
		Expect(err).NotTo(HaveOccurred())
		Expect(lock).To(BeIdenticalTo(pins.lock))
	})
})
