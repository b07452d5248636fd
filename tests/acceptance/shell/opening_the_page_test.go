package shell_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var pageAddress = regexp.MustCompile(`the page is at (http://127\.0\.0\.1:\d+/[A-Z2-7]{26}/ui/\?token=[A-Z2-7]{26})\n`)

var _ = Describe("The page", func() {
	var variable, sockets string
	BeforeEach(func() {
		variable, sockets = runtimeFolder()
		SkipOverHTTP("the command serves no host")
	})
	// open starts the command, and returns the address of the page, with its token.
	open := func(folder state) string {
		GinkgoHelper()
		command := Start(Launch{Args: []string{"ui", "--no-browser"}, Env: append(folder.env(), variable)})
		DeferCleanup(func() {
			command.Signal(syscall.SIGTERM)
			Expect(command.ExitCode()).To(Equal(0))
		})
		Eventually(command.Stderr).WithTimeout(Patience).Should(MatchRegexp(pageAddress.String()))
		return pageAddress.FindStringSubmatch(command.Stderr())[1]
	}
	// browser returns a function that reads a page with the cookies that it got before.
	browser := func() func(address string, headers ...string) (int, string) {
		jar := spec.Must(cookiejar.New(nil))
		client := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
		return func(address string, headers ...string) (int, string) {
			GinkgoHelper()
			request := spec.Must(http.NewRequest(http.MethodGet, address, nil))
			for i := 0; i < len(headers); i += 2 {
				request.Header.Set(headers[i], headers[i+1])
			}
			if host := request.Header.Get("Host"); host != "" {
				request.Host = host
			}
			response := spec.Must(client.Do(request))
			text := spec.Must(io.ReadAll(response.Body))
			Expect(response.Body.Close()).To(Succeed())
			Expect(response.Header.Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
			return response.StatusCode, string(text)
		}
	}

	It("shows the toolboxes, servers and tools of running workbenches to the browser that opens it, and only that one", func() {
		files := WithDefinitions(DescribedTool("read", "Reads <b>a file</b>."))
		files.Rules = []script.Rule{script.Answer("read", script.Text("done"))}
		folder := newState()
		host := Connect(Start(Launch{Config: Configuration(InDev(Scripted("files", files))), Env: append(folder.env(), variable)}), false, "{}")
		host.Open("dev")
		host.Use("dev", "files", "read", "{}")
		awaitListening(sockets, 1)
		address := open(folder)
		root, _, _ := strings.Cut(address, "?")
		own, other := browser(), browser()

		status, _ := own(address)
		Expect(status).To(Equal(http.StatusOK))
		_, overview := own(root)
		Expect(overview).To(And(ContainSubstring("<bdi>files</bdi>"), ContainSubstring(`class="state running"`), ContainSubstring("open in 1 host")))
		_, tool := own(root + "tool?toolbox=dev&server=files&tool=read")
		Expect(tool).To(ContainSubstring("Reads &lt;b&gt;a file&lt;/b&gt;."))
		Eventually(func() string {
			_, calls := own(root + "calls")
			return calls
		}).WithTimeout(Patience).Should(ContainSubstring("<bdi>read</bdi>"))
		for _, refused := range []func() (int, string){
			func() (int, string) { return other(root) },
			func() (int, string) { return other(address) },
			func() (int, string) { return own(root, "Host", "evil.example") },
			func() (int, string) { return own(root, "Origin", "https://evil.example") },
		} {
			status, text := refused()
			Expect(status).To(Equal(http.StatusForbidden))
			Expect(text).NotTo(ContainSubstring("files"))
		}
	})

	It("is opened in the browser by a file that only the user can read, until the browser is admitted", Label("TG03"), func() {
		if runtime.GOOS == "windows" {
			Skip("the browser is a shell script")
		}
		folder, seen := newState(), filepath.Join(GinkgoT().TempDir(), "seen")
		script := filepath.Join(GinkgoT().TempDir(), "browser")
		// Without its environment the browser is no process of the workbench, which it may outlive.
		Expect(os.WriteFile(script, []byte("#!/bin/sh\nexec env -i PATH=\"$PATH\" sh -c 'echo \"$1\" > "+seen+".part && mv "+seen+".part "+seen+"' sh \"$1\"\n"), 0o700)).To(Succeed())
		command := Start(Launch{Args: []string{"ui"}, Env: append(folder.env(), variable, "BROWSER="+script)})
		DeferCleanup(func() {
			command.Signal(syscall.SIGTERM)
			Expect(command.ExitCode()).To(Equal(0))
		})

		Eventually(seen).WithTimeout(Patience).Should(BeAnExistingFile())
		words := spec.Must(os.ReadFile(seen))
		path, isFile := strings.CutPrefix(strings.TrimSpace(string(words)), "file://")
		Expect(isFile).To(BeTrue(), string(words))
		text := spec.Must(os.ReadFile(path))
		Eventually(command.Stderr).WithTimeout(Patience).Should(MatchRegexp(pageAddress.String()))
		address := pageAddress.FindStringSubmatch(command.Stderr())[1]
		Expect(string(text)).To(ContainSubstring("url=" + address + `"`))

		status, _ := browser()(address)
		Expect(status).To(Equal(http.StatusOK))
		Eventually(path).WithTimeout(Patience).ShouldNot(BeAnExistingFile())
	})

	It("works without a configuration and without a workbench", func() {
		address := open(newState())
		own := browser()
		own(address)
		_, overview := own(regexp.MustCompile(`\?.*`).ReplaceAllString(address, ""))
		Expect(overview).To(And(ContainSubstring("No toolboxes yet"), ContainSubstring("No workbench is running")))
	})
})
