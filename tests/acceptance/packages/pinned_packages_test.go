package packages_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server whose package is pinned", func() {
	var p *packagedServer
	BeforeEach(func() {
		p = newPackagedServer()
		p.publish("1.0.0")
	})
	replaceLock := func(before, after string) {
		GinkgoHelper()
		path := filepath.Join(p.folder, "workbench.lock.json")
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(ContainSubstring(before))
		WriteFile(path, strings.Replace(string(text), before, after, 1))
	}

	for _, ofHost := range Eras {
		It("is not changed by a new release, for a host of "+ofHost.Name, Label("P01"), func() {
			p.configure(`"pinning":"block",`)
			p.locks()
			p.publish("1.1.0")

			host := p.connect(ofHost)
			opened := host.Open("dev")

			Expect(opened.Tools).To(HaveExactElements(ContainSubstring(named("of_1_0_0"))))
			Expect(opened.Warnings).To(BeEmpty())
			Expect(host.Use("dev", "files", "of_1_0_0", `{}`).Text()).To(ContainSubstring("done"))
		})

		It("starts only as the policy allows when its pin cannot be used, for a host of "+ofHost.Name, Label("P02"), func() {
			p.locks()
			p.elsewhere()
			Expect(os.Remove(p.packageLock())).To(Succeed())
			const reason = "the lock file of files-server@1.0.0 beside workbench.lock.json cannot be used: it does not exist; the user can restore it"

			opened := p.connect(ofHost).Open("dev")
			Expect(opened.Warnings).To(Equal([]string{
				"Server 'files': it was started as it is configured, and not at the version of its package that was locked: " + reason,
			}))
			Expect(opened.Tools).To(HaveLen(1))

			for _, root := range []string{`"pinning":"block",`, `"packages":"locked",`} {
				p.configure(root)
				host := p.connect(ofHost)
				Expect(host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`)).Failure()).To(
					ContainSubstring("Failed to connect to server 'files' in toolbox 'dev': " + reason))
			}
		})
	}

	It("is installed at its first start on another machine, once for simultaneous starts", Label("P03"), func() {
		p.locks()
		p.publish("1.1.0")
		p.elsewhere()
		before := p.installations()

		var wg sync.WaitGroup
		for range 10 {
			host := p.connect(Older)
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(host.Open("dev").Tools).To(HaveExactElements(ContainSubstring(named("of_1_0_0"))))
			})
		}
		wg.Wait()

		Expect(p.installations() - before).To(Equal(1))
		Expect(p.calls("npx")).To(BeEmpty())
	})

	It("does not start when the registry has other bytes for its version, whatever the policy", Label("P01"), func() {
		p.locks()
		p.elsewhere()
		p.tamper("1.0.0")

		failed := p.connect(Older).Call("open_toolbox", `{"toolbox":"dev"}`)

		Expect(failed.Failure()).To(MatchRegexp(`Failed to connect to server 'files' in toolbox 'dev': .*files-server@1\.0\.0.*the registry has other bytes`))
		Expect(p.calls("npx")).To(BeEmpty())
	})

	It("has a lock that fails closed when its packages are damaged", Label("P02"), func() {
		p.locks()
		for _, damage := range [][2]string{{`"version": "1.0.0"`, `"version": "latest"`}, {`"lockVersion": 4`, `"lockVersion": 5`}} {
			replaceLock(damage[0], damage[1])
			Expect(p.connect(Older).Open("dev").Warnings).To(ContainElement(HavePrefix("workbench.lock.json cannot be used")))
			for _, root := range []string{`"pinning":"block",`, `"packages":"locked",`, `"packages":"locked","pinning":"off",`} {
				p.configure(root)
				Expect(p.connect(Older).Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(ContainSubstring("cannot be used"), root)
			}
			p.configure("")
			replaceLock(damage[1], damage[0])
		}
		Expect(p.calls("npx")).To(HaveLen(2))
	})

	It("uses a new version in the lock from the next start of the workbench", func() {
		p.locks()
		host := p.connect(Older)
		Expect(host.Open("dev").Tools).To(HaveExactElements(ContainSubstring(named("of_1_0_0"))))
		p.publish("1.1.0")
		Expect(p.run("lock", "--update", "files").Code).To(Equal(0))

		Expect(p.connect(Older).Open("dev").Tools).To(HaveExactElements(ContainSubstring(named("of_1_1_0"))))
	})
})
