package certificates_test

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The authorities that the environment names", func() {
	var folder, file string
	var certificate *x509.Certificate
	BeforeEach(func() {
		server := httptest.NewTLSServer(nil)
		certificate = server.Certificate()
		server.Close()
		folder = GinkgoT().TempDir()
		file = filepath.Join(folder, "authority.pem")
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
		Expect(os.WriteFile(file, text, 0o600)).To(Succeed())
	})
	with := func(variables map[string]string) (*x509.CertPool, error) {
		pool := x509.NewCertPool()
		return pool, certificates.Add(pool, func(name string) string { return variables[name] })
	}
	trusts := func(pool *x509.CertPool) bool {
		_, err := certificate.Verify(x509.VerifyOptions{Roots: pool})
		return err == nil
	}

	It("are none without variables", func() {
		pool := spec.Must(with(nil))
		Expect(trusts(pool)).To(BeFalse())
	})

	It("are those of a file", func() {
		pool := spec.Must(with(map[string]string{"SSL_CERT_FILE": file}))
		Expect(trusts(pool)).To(BeTrue())
	})

	It("are those of folders, whatever else is in them", func() {
		Expect(os.WriteFile(filepath.Join(folder, "README"), []byte("no certificate"), 0o600)).To(Succeed())
		Expect(os.Mkdir(filepath.Join(folder, "folder"), 0o700)).To(Succeed())

		pool := spec.Must(with(map[string]string{"SSL_CERT_DIR": GinkgoT().TempDir() + string(os.PathListSeparator) + folder}))
		Expect(trusts(pool)).To(BeTrue())
	})

	It("come from variables whose values are not shown", func() {
		empty := filepath.Join(folder, "secret")
		Expect(os.WriteFile(empty, nil, 0o600)).To(Succeed())
		for value, why := range map[string]string{
			filepath.Join(folder, "secret-missing"): "SSL_CERT_FILE names a file that cannot be read: ",
			empty:                                   "SSL_CERT_FILE names a file without a certificate in PEM",
		} {
			_, err := with(map[string]string{"SSL_CERT_FILE": value})
			Expect(err).To(MatchError(HavePrefix(why)))
			Expect(err.Error()).NotTo(ContainSubstring("secret"))
		}
		_, err := with(map[string]string{"SSL_CERT_DIR": filepath.Join(folder, "secret-missing")})
		Expect(err).To(MatchError(HavePrefix("SSL_CERT_DIR names a folder that cannot be read: ")))
	})
})
