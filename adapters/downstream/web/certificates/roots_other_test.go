//go:build unix && !darwin

package certificates_test

import (
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web/certificates"
)

var _ = Describe("The authorities that the system reads", Label("TS01"), func() {
	It("are not read from a pipe, which would block", func() {
		folder := GinkgoT().TempDir()
		Expect(os.Mkdir(filepath.Join(folder, "more"), 0o700)).To(Succeed())
		GinkgoT().Setenv("SSL_CERT_FILE", "")
		GinkgoT().Setenv("SSL_CERT_DIR", folder)
		Expect(certificates.Roots()).Error().NotTo(HaveOccurred())
		pipe := filepath.Join(folder, "pipe")
		Expect(syscall.Mkfifo(pipe, 0o600)).To(Succeed())

		_, err := certificates.Roots()
		Expect(err).To(MatchError("SSL_CERT_DIR names a folder with a file that cannot be read: not a regular file"))
		GinkgoT().Setenv("SSL_CERT_DIR", "")
		GinkgoT().Setenv("SSL_CERT_FILE", pipe)
		_, err = certificates.Roots()
		Expect(err).To(MatchError("SSL_CERT_FILE names a file that cannot be read: not a regular file"))
	})
})
