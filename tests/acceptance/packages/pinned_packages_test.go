package packages_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
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
		for _, damage := range [][2]string{{`"version": "1.0.0"`, `"version": "latest"`}, {`"lockVersion": 1`, `"lockVersion": 2`}} {
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

var _ = Describe("An installed package", func() {
	var p *packagedServer
	BeforeEach(func() {
		p = newPackagedServer()
		p.publish("1.0.0")
		p.locks()
	})
	installed := func(name string) string {
		GinkgoHelper()
		found := spec.Must(filepath.Glob(filepath.Join(p.state, "mcp-workbench/packages/npm/*/node_modules")))
		Expect(found).To(HaveLen(1))
		return filepath.Join(found[0], filepath.FromSlash(name))
	}
	refused := func() string {
		GinkgoHelper()
		return p.connect(Older).Call("open_toolbox", `{"toolbox":"dev"}`).Failure()
	}

	DescribeTable("does not start when it was changed, and the message says what was changed", Label("TS05"), func(change func(), message string) {
		Expect(p.run("list", "dev").Stdout).To(ContainSubstring("of_1_0_0"), "so that its files were looked at")
		change()

		Expect(refused()).To(And(
			ContainSubstring("files-server@1.0.0 was changed after its installation, so it does not start: "+message),
			ContainSubstring(filepath.Dir(installed("")))))
		outcome := p.run("call", "dev/files/of_1_0_0")
		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stderr).To(ContainSubstring(message))
		Expect(p.run("doctor").Stdout).To(ContainSubstring(message))
		Expect(p.calls("npx")).To(BeEmpty())

		Expect(os.RemoveAll(filepath.Dir(installed("")))).To(Succeed())
		Expect(p.connect(Older).Open("dev").Tools).To(HaveLen(1), "it is installed again")
	},
		Entry("in the bytes of a file",
			func() { WriteFile(installed("files-server/run.js"), "// POISONED") }, "node_modules/files-server/run.js was changed"),
		Entry("in the bytes of a file, with the same size and time", func() {
			path := installed("files-server/run.js")
			info := spec.Must(os.Stat(path))
			text := spec.Must(os.ReadFile(path))
			text[2]++
			Expect(os.WriteFile(path, text, 0o600)).To(Succeed())
			Expect(os.Chtimes(path, time.Time{}, info.ModTime())).To(Succeed())
		}, "node_modules/files-server/run.js was changed"),
		Entry("by a missing file",
			func() { Expect(os.Remove(installed("files-server/script"))).To(Succeed()) }, "node_modules/files-server/script is missing"),
		Entry("by a link in place of a file", func() {
			path := installed("files-server/run.js")
			Expect(os.Rename(path, installed("../run.js"))).To(Succeed())
			Expect(os.Symlink("../../run.js", path)).To(Succeed())
		}, "node_modules/files-server/run.js was changed"),
		Entry("in the permission to run a file",
			func() { Expect(os.Chmod(installed("files-server/run.js"), 0o755)).To(Succeed()) }, "node_modules/files-server/run.js was changed"),
		Entry("together with the list of its files", func() {
			WriteFile(installed("files-server/run.js"), "// POISONED")
			WriteFile(installed("../installed.sha256"), "")
		}, "the list of its files was changed"),
	)

	It("starts with files in the folder for caches of programs", Label("TS05"), func() {
		WriteFile(installed(".cache/files-server/x"), "kept")

		Expect(p.connect(Older).Open("dev").Tools).To(HaveLen(1))
	})

	// By default @modelcontextprotocol/server-memory keeps its memory beside its program.
	DescribeTable("starts with data that a server keeps beside its program", Label("TS05"), func(name string) {
		Expect(p.run("list", "dev").Stdout).To(ContainSubstring("of_1_0_0"))
		WriteFile(installed(name), "kept")

		Expect(p.connect(Older).Open("dev").Tools).To(HaveLen(1))
		Expect(os.ReadFile(installed(name))).To(BeEquivalentTo("kept"))
		WriteFile(installed("files-server/run.js"), "// POISONED")
		Expect(refused()).To(ContainSubstring("node_modules/files-server/run.js was changed"))
	},
		Entry("in lines of JSON", "files-server/memory.jsonl"),
		Entry("in a log", "files-server/server.log"),
	)

	DescribeTable("does not start with an additional file that Node may load as a part of a program", Label("TS05"), func(name string) {
		WriteFile(installed(name), "kept")

		Expect(refused()).To(ContainSubstring("node_modules/" + name + " is new"))
	},
		Entry("since it is code", "files-server/memory.js"),
		Entry("since it may be found without its ending", "files-server/memory.json"),
		Entry("since it has the name of a program without its ending", "files-server/part.db"),
		Entry("since it has the name of a package", "some.db"),
		Entry("in a package that was not installed", "files-server/node_modules/helper/some.db"),
	)

	DescribeTable("is neither started nor installed where others can write files, and the folder is named", Label("TS06"), func(root string) {
		shared := filepath.Join(p.state, "mcp-workbench")
		Expect(os.Chmod(shared, 0o777)).To(Succeed())
		p.configure(root)

		Expect(refused()).To(And(ContainSubstring("files-server@1.0.0"), ContainSubstring(shared+": every user on this machine can change the folder")))
		Expect(os.RemoveAll(filepath.Join(shared, "packages"))).To(Succeed())
		Expect(refused()).To(ContainSubstring(shared + ": every user on this machine can change the folder"))
	},
		Entry("by default", ""),
		Entry("with packages locked", `"packages":"locked",`),
	)
})
