package workbenchtest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Secured is a server that speaks HTTPS.
type Secured struct {
	*httptest.Server
	// Certificate and Key are files in PEM. The certificate is the authority of the server, and will do for a client.
	Certificate, Key string
}

// Secure serves a handler over HTTPS until the spec ends. Clients show a certificate as wanted.
func Secure(handler http.Handler, wanted tls.ClientAuthType) Secured {
	ginkgo.GinkgoHelper()
	far := httptest.NewUnstartedServer(handler)
	far.TLS = &tls.Config{ClientAuth: wanted}
	far.Config.ErrorLog = log.New(ginkgo.GinkgoWriter, "", 0) // failed handshakes
	far.StartTLS()
	ginkgo.DeferCleanup(func() {
		far.CloseClientConnections()
		far.Close()
	})
	key, err := x509.MarshalPKCS8PrivateKey(far.TLS.Certificates[0].PrivateKey)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	folder := ginkgo.GinkgoT().TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(folder, name)
		gomega.Expect(os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)).To(gomega.Succeed())
		return path
	}
	return Secured{far, write("certificate.pem", "CERTIFICATE", far.Certificate().Raw), write("key.pem", "PRIVATE KEY", key)}
}

// TLS is the setting "tls" of a server that is shown the certificate.
func (s Secured) TLS() string {
	return `"tls":{"cert":` + Quote(s.Certificate) + `,"key":` + Quote(s.Key) + `}`
}
