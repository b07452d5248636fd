package workbenchtest

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
)

// httpVariable is the variable with which the features run over HTTP instead of pipes if it is "1".
// The specs are the same.
const httpVariable = "WORKBENCH_FEATURES_OVER_HTTP"

// OverHTTP reports whether the features run over HTTP.
func OverHTTP() bool { return os.Getenv(httpVariable) == "1" }

// Listen starts a workbench, like Start, that is reached over HTTP even if the features run over pipes.
// On Windows it skips the spec, since no signal can end such a workbench there.
func Listen(l Launch) *Workbench {
	ginkgo.GinkgoHelper()
	skipListening()
	l.overHTTP = true
	return Start(l)
}

// ListenToo starts a workbench that serves hosts over HTTP beside the one at its pipes, and returns
// the one at its pipes. Only a signal ends the workbench.
func ListenToo(l Launch) *Workbench {
	ginkgo.GinkgoHelper()
	skipListening()
	l.Args = append(slices.Clone(l.Args), "--http", "127.0.0.1:0", "--stdio")
	return Start(l)
}

func skipListening() {
	ginkgo.GinkgoHelper()
	if runtime.GOOS == "windows" {
		ginkgo.Skip("Windows has no SIGTERM, which ends a listening workbench")
	}
}

// AnotherHost returns another host of a workbench that listens, with messages of its own.
func (w *Workbench) AnotherHost() *Workbench { return w.AnotherHostWith("") }

// AnotherHostWith does the same for a host with a token.
func (w *Workbench) AnotherHostWith(token string) *Workbench {
	ginkgo.GinkgoHelper()
	client, url := w.reached()
	other := &Workbench{
		process: w.process, cookie: w.cookie, errors: w.errors, ended: w.ended, changed: make(chan struct{}), lastID: 1000,
		waiting: map[string]chan Message{},
	}
	host := &httpHost{workbench: other, client: client, url: url, token: token, modern: map[string]modernRequest{}, isGuest: true}
	other.in = host
	ginkgo.DeferCleanup(other.report)
	ginkgo.DeferCleanup(func() {
		gomega.Expect(host.Close()).To(gomega.Succeed())
		host.responses.Wait()
		gomega.Expect(other.noise).To(gomega.BeEmpty(), "what is no message")
	})
	return other
}

// reached returns how further hosts reach a workbench: like the first one, or at the address in its
// output if that one is at its pipes.
func (w *Workbench) reached() (client *http.Client, url string) {
	ginkgo.GinkgoHelper()
	if first, overHTTP := w.in.(*httpHost); overHTTP {
		return first.client, first.url
	}
	gomega.Expect(w.process.Args).To(gomega.ContainElement("--http"), "hosts share a workbench over HTTP only")
	gomega.Eventually(w.Stderr).WithTimeout(Patience).Should(gomega.MatchRegexp(listening.String()))
	client = &http.Client{Transport: &http.Transport{}}
	ginkgo.DeferCleanup(client.CloseIdleConnections)
	return client, listening.FindStringSubmatch(w.Stderr())[1]
}

// URL returns the address of a workbench that listens.
func (w *Workbench) URL() string { return w.in.(*httpHost).url }

// SkipOverHTTP skips a feature that is not about hosts over HTTP, with the reason.
func SkipOverHTTP(reason string) {
	if OverHTTP() {
		ginkgo.Skip("over HTTP: " + reason)
	}
}

var sealedState = regexp.MustCompile(`"mcp-workbench-sealed:([A-Za-z0-9_-]+)"`)

// WithoutSeals returns a text of the workbench with the original requestStates of servers. Over HTTP
// they are sealed to their host; the rest of a result is the same.
func WithoutSeals(text string) string {
	ginkgo.GinkgoHelper()
	return sealedState.ReplaceAllStringFunc(text, func(sealed string) string {
		decoded, err := base64.RawURLEncoding.DecodeString(sealedState.FindStringSubmatch(sealed)[1])
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		return string(decoded[sha256.Size:])
	})
}

// skipRegisteredTools skips specs about registered tools of hosts of 2026-07-28 over HTTP, which
// have none since their lists must not vary.
func (w *Workbench) skipRegisteredTools() {
	ginkgo.GinkgoHelper()
	for i, argument := range w.process.Args {
		if argument != "--config" || !OverHTTP() {
			continue
		}
		configuration, err := os.ReadFile(w.process.Args[i+1])
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		if dynamicMode.Match(configuration) {
			SkipOverHTTP("tools are registered for hosts with a handshake only")
		}
	}
}

var dynamicMode = regexp.MustCompile(`"toolMode":\s*"dynamic"`)

// listening matches the line on standard error once the program can be reached.
var listening = regexp.MustCompile(`listening on (http://\S+/mcp)`)

// startOverHTTP starts the process of a workbench that listens instead of using pipes.
func (w *Workbench) startOverHTTP() {
	ginkgo.GinkgoHelper()
	w.process.Args = append(w.process.Args, "--http", "127.0.0.1:0")
	host := &httpHost{workbench: w, client: &http.Client{Transport: &http.Transport{}}, modern: map[string]modernRequest{}}
	w.in, w.out = host, io.NopCloser(nil)
	gomega.Expect(w.process.Start()).To(gomega.Succeed())
	gone := make(chan struct{})
	go func() {
		defer close(w.ended)
		_ = w.process.Wait() // how it ended is asked for later
		close(gone)
		host.responses.Wait()
		host.client.CloseIdleConnections()
	}()
	gomega.Eventually(func() bool {
		select {
		case <-gone:
			return true
		default:
		}
		found := listening.FindStringSubmatch(w.Stderr())
		if found != nil {
			host.url = found[1]
		}
		return found != nil
	}).WithTimeout(Patience).Should(gomega.BeTrue(), "the workbench should listen")
}

// WithHTTP returns a configuration with this raw value of its key "http".
func WithHTTP(settings string, toolboxes ...Toolbox) string {
	return strings.Replace(Configuration(toolboxes...), "{", `{"http": `+settings+",", 1)
}

// ReachedServer is a server with functions for specs.
type ReachedServer struct {
	Server
	// Crash ends it at once.
	Crash func(*Workbench)
	// Open returns how many connections the workbench has to it.
	Open func() int
}

// WebKind is a transport and an era of servers behind a URL.
type WebKind struct {
	Era       Era
	Transport string
	Start     func(script.Script) *remote.Server
}

// WebKinds are all kinds of servers behind a URL.
var WebKinds = []WebKind{
	{Older, "http", remote.StartStreamable},
	{Modern, "http", remote.StartModern},
	{Older, "sse", remote.StartOlder},
}

// Name returns the transport and era.
func (k WebKind) Name() string { return k.Transport + ", of " + k.Era.Name }

// OverEveryWebKind registers specs for all kinds of servers behind a URL.
func OverEveryWebKind(body func(over WebKind)) {
	for _, over := range WebKinds {
		ginkgo.Context("over "+over.Name(), func() { body(over) })
	}
}

// RemoteServer is a server behind a URL.
type RemoteServer struct {
	ReachedServer
	Far *remote.Server
}

// Serve returns a server that plays a script.
func (k WebKind) Serve(s script.Script, settings ...string) ReachedServer {
	ginkgo.GinkgoHelper()
	return k.ServeBehind(func(address string) string { return address }, s, settings...).ReachedServer
}

// ServeBehind does the same for a server that is reached at an address other than its own.
func (k WebKind) ServeBehind(address func(own string) string, s script.Script, settings ...string) RemoteServer {
	ginkgo.GinkgoHelper()
	s = k.Era.Script(s)
	s.Journal = filepath.Join(ginkgo.GinkgoT().TempDir(), "journal")
	far := k.Start(s)
	ginkgo.DeferCleanup(far.Break)
	url := strings.Replace(far.URL(), far.Address(), address(far.Address()), 1)
	settings = append(settings, `"transport":"`+k.Transport+`"`)
	return RemoteServer{Far: far, ReachedServer: ReachedServer{
		Server: ServerAt("files", url, s.Journal, settings...),
		Crash:  func(*Workbench) { far.Break() },
		Open:   far.Open,
	}}
}

// Era is the kind of protocol versions that a host or a server speaks.
type Era struct {
	Name   string
	Modern bool
}

// The eras, and both of them.
var (
	Older  = Era{Name: "2025-11-25"}
	Modern = Era{Name: "2026-07-28", Modern: true}
	Eras   = []Era{Older, Modern}
)

// BetweenEras registers specs for every pair of a host's and a server's era.
func BetweenEras(body func(ofHost, ofServer Era)) {
	for _, ofHost := range Eras {
		for _, ofServer := range Eras {
			ginkgo.Context("from a server of "+ofServer.Name+" to a host of "+ofHost.Name, func() { body(ofHost, ofServer) })
		}
	}
}

// Server returns a server that speaks the era, named files.
func (e Era) Server(s script.Script, settings ...string) Server {
	ginkgo.GinkgoHelper()
	return Scripted("files", e.Script(s), settings...)
}

// Script returns a script in the form for a server of the era.
func (e Era) Script(s script.Script) script.Script {
	if !e.Modern {
		return s
	}
	if s.Capabilities == "" {
		s.Capabilities = `{"tools":{}}`
	}
	s.Rules = append(script.Modern(s.Capabilities), s.Rules...)
	return s
}

// Connect starts a workbench with the servers in a toolbox named dev, and opens that
// with a host of the era and these capabilities, a raw object.
func (e Era) Connect(capabilities string, servers ...Server) Host {
	ginkgo.GinkgoHelper()
	w := Start(Launch{Config: Configuration(InDev(servers...))})
	host := Connect(w, e.Modern, capabilities)
	host.Open("dev")
	return host
}

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
