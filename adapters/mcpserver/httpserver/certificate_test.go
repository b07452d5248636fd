package httpserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/tests/spec"
)

// write writes a certificate for a name and its key.
func write(certificateFile, keyFile, name string) {
	GinkgoHelper()
	key := spec.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotAfter: time.Now().Add(time.Hour),
	}
	der := spec.Must(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))
	private := spec.Must(x509.MarshalPKCS8PrivateKey(key))
	Expect(os.WriteFile(certificateFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)).To(Succeed())
	Expect(os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600)).To(Succeed())
}

// nameIn returns the name in the certificate of a new connection.
func nameIn(config *tls.Config) string {
	GinkgoHelper()
	return spec.Must(config.GetCertificate(&tls.ClientHelloInfo{})).Leaf.Subject.CommonName
}

var _ = Describe("A certificate", Label("T09"), func() {
	var certificateFile, keyFile string

	BeforeEach(func() {
		folder := GinkgoT().TempDir()
		certificateFile, keyFile = filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
		write(certificateFile, keyFile, "first.test")
	})

	load := func(log *slog.Logger) *tls.Config {
		GinkgoHelper()
		return spec.Must(httpserver.LoadCertificate(certificateFile, keyFile, log))
	}

	It("is served with at least TLS 1.2", func() {
		config := load(slog.New(slog.DiscardHandler))
		Expect(nameIn(config)).To(Equal("first.test"))
		Expect(config.MinVersion).To(BeEquivalentTo(tls.VersionTLS12))
	})

	It("is replaced when its files change", spec.InBubble(func(*testing.T) {
		config := load(slog.New(slog.DiscardHandler))
		write(certificateFile, keyFile, "second-name.test")
		Expect(nameIn(config)).To(Equal("first.test"), "not every connection looks at the files")

		time.Sleep(11 * time.Second)

		Expect(nameIn(config)).To(Equal("second-name.test"))
	}))

	It("stays in use when its files become invalid, with one line in the log", spec.InBubble(func(*testing.T) {
		logged := gbytes.NewBuffer()
		config := load(slog.New(slog.NewTextHandler(logged, nil)))
		Expect(os.WriteFile(keyFile, []byte("half of a k"), 0o600)).To(Succeed())

		for range 3 {
			time.Sleep(11 * time.Second)
			Expect(nameIn(config)).To(Equal("first.test"))
		}

		Expect(logged).To(gbytes.Say("the certificate changed and cannot be used"))
		Expect(logged).NotTo(gbytes.Say("cannot be used"))
		write(certificateFile, keyFile, "second-name.test")
		time.Sleep(11 * time.Second)
		Expect(nameIn(config)).To(Equal("second-name.test"))
	}))

	It("is reported once when it expires while it is served", spec.InBubble(func(*testing.T) {
		write(certificateFile, keyFile, "first.test") // by the clock of the bubble
		logged := gbytes.NewBuffer()
		config := load(slog.New(slog.NewTextHandler(logged, nil)))
		Expect(logged.Contents()).To(BeEmpty())

		time.Sleep(2 * time.Hour)
		for range 3 {
			time.Sleep(11 * time.Second)
			Expect(nameIn(config)).To(Equal("first.test"))
		}

		Expect(logged).To(gbytes.Say(`hosts refuse the certificate" file=\S+tls.crt why="it expired at 2000-01-01 01:00 UTC"`))
		Expect(logged).NotTo(gbytes.Say("refuse"))
		write(certificateFile, keyFile, "second-name.test")
		time.Sleep(11 * time.Second)
		Expect(nameIn(config)).To(Equal("second-name.test"))
		Expect(logged).NotTo(gbytes.Say("refuse"))
	}))

	It("is reported at the start when it has expired", spec.InBubble(func(*testing.T) {
		write(certificateFile, keyFile, "first.test")
		time.Sleep(2 * time.Hour)
		logged := gbytes.NewBuffer()

		load(slog.New(slog.NewTextHandler(logged, nil)))

		Expect(logged).To(gbytes.Say("it expired at 2000-01-01 01:00 UTC"))
	}))

	DescribeTable("is refused at the start",
		func(breakIt func()) {
			breakIt()
			_, err := httpserver.LoadCertificate(certificateFile, keyFile, slog.New(slog.DiscardHandler))
			Expect(err).To(MatchError(And(ContainSubstring(certificateFile), ContainSubstring(keyFile))))
		},
		Entry("without a key", func() { Expect(os.Remove(keyFile)).To(Succeed()) }),
		Entry("with the key of another certificate", func() {
			write(filepath.Join(filepath.Dir(keyFile), "other.crt"), keyFile, "other.test")
		}),
		Entry("that is only a key", func() {
			text := spec.Must(os.ReadFile(keyFile))
			Expect(os.WriteFile(certificateFile, text, 0o600)).To(Succeed())
		}),
		Entry("that is empty", func() { Expect(os.WriteFile(certificateFile, nil, 0o600)).To(Succeed()) }),
		Entry("that is a folder", func() {
			Expect(os.Remove(certificateFile)).To(Succeed())
			Expect(os.Mkdir(certificateFile, 0o700)).To(Succeed())
		}),
	)
})
