package workbenchtest

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
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
