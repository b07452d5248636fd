package certificates_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
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

var _ = Describe("The certificate of a client", Label("H08"), func() {
	var folder string
	write := func(name string, blocks ...*pem.Block) {
		var text []byte
		for _, block := range blocks {
			text = append(text, pem.EncodeToMemory(block)...)
		}
		Expect(os.WriteFile(filepath.Join(folder, name), text, 0o600)).To(Succeed())
	}
	client := func(file, keyFile string) certificates.Client {
		c := certificates.Client{File: filepath.Join(folder, file)}
		if keyFile != "" {
			c.KeyFile = filepath.Join(folder, keyFile)
		}
		return c
	}
	keyOf := func(key any) *pem.Block {
		der := spec.Must(x509.MarshalPKCS8PrivateKey(key))
		return &pem.Block{Type: "PRIVATE KEY", Bytes: der}
	}
	BeforeEach(func() {
		server := httptest.NewTLSServer(nil)
		server.Close()
		folder = GinkgoT().TempDir()
		other := spec.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
		certificate, key := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}, keyOf(server.TLS.Certificates[0].PrivateKey)
		write("cert.pem", certificate)
		write("key.pem", key)
		write("both.pem", certificate, key)
		write("other.pem", keyOf(other))
		write("encrypted.pem", &pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte{1}})
		write("old.pem", &pem.Block{Type: "RSA PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}, Bytes: []byte{1}})
		write("empty.pem")
	})

	DescribeTable("is read from its files", func(file, keyFile, problem string) {
		certificate, err := client(file, keyFile).Load()

		if problem == "" {
			Expect(err).NotTo(HaveOccurred())
			Expect(certificate.Leaf).NotTo(BeNil())
			return
		}
		Expect(err).To(MatchError(ContainSubstring(problem)))
	},
		Entry("with the key beside it", "cert.pem", "key.pem", ""),
		Entry("with the key in the same file", "both.pem", "", ""),
		Entry("but not without a key", "cert.pem", "", "found a certificate rather than a key"),
		Entry("but not with files the wrong way round", "key.pem", "cert.pem", "PEM inputs may have been switched"),
		Entry("but not with another key", "cert.pem", "other.pem", "other.pem: private key"),
		Entry("but not with an encrypted key", "cert.pem", "encrypted.pem", "encrypted.pem is encrypted"),
		Entry("but not with one encrypted in the old way", "cert.pem", "old.pem", "old.pem is encrypted"),
		Entry("but not from an empty file", "empty.pem", "key.pem", "empty.pem cannot be used"),
		Entry("but not without the file", "gone.pem", "key.pem", "read the client certificate "),
		Entry("but not without the file of the key", "cert.pem", "gone.pem", "read the key of the client certificate "),
	)

	It("is shown as it is at each handshake", func() {
		var config tls.Config
		client("cert.pem", "key.pem").Show(&config)
		write("key.pem")

		_, err := config.GetClientCertificate(nil)

		Expect(err).To(MatchError(ContainSubstring("key.pem: failed to find any PEM data in key input")))
	})
})
