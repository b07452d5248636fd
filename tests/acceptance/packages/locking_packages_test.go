package packages_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Locking packages", func() {
	var p *packagedServer
	BeforeEach(func() {
		p = newPackagedServer()
		p.publish("1.0.0")
	})
	lock := func() string {
		GinkgoHelper()
		text, err := os.ReadFile(strings.Replace(p.config(), "c.json", "workbench.lock.json", 1))
		Expect(err).NotTo(HaveOccurred())
		return string(text)
	}
	failing := func(s *script.Script) { s.Start = []script.Step{{Stderr: "no licence"}, {Exit: 3}} }

	It("writes the exact version into the lock, with npm's lock file beside it, and starts that version", func() {
		outcome := p.run("lock", "--packages")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(HavePrefix("pinned: dev / files: files-server@1.0.0\n"))
		Expect(outcome.Stdout).To(HaveSuffix("workbench.lock.json: written (tools: 1, packages: 1); workbench.lock.d beside it belongs to it\n"))
		Expect(lock()).To(And(ContainSubstring(`"lockVersion": 1`),
			MatchRegexp(`"files": \{"npm": "files-server", "requested": "files-server", "version": "1\.0\.0", "sha256": "[0-9a-f]{64}"\}`)))
		Expect(p.packageLock()).To(BeARegularFile())
		Expect(p.calls("npx")).To(BeEmpty())
		Expect(p.calls("node")).To(HaveEach(HaveSuffix("/run.js own argument")))
	})

	It("pins the newest version for a named server, with the differences of its tools", func() {
		p.locks()
		p.publish("1.1.0")

		outcome := p.run("lock", "--update", "files")

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(And(
			ContainSubstring("added: dev / files / of_1_1_0\n"), ContainSubstring("removed: dev / files / of_1_0_0\n"),
			ContainSubstring("pinned: dev / files: files-server@1.0.0 → 1.1.0\n"), ContainSubstring("written (tools: 1, packages: 1)"),
		))
		Expect(os.ReadFile(p.packageLock())).To(ContainSubstring("1.1.0"))
		outcome = p.run("lock", "--update", "dev/files")
		Expect(outcome.Stdout).To(HavePrefix("pinned: dev / files: files-server@1.1.0, the newest\n"))
		Expect(p.run("lock", "--packages", "--check").Code).To(Equal(0))
	})

	It("does not pin a server that does not start after the installation, with the reason", Label("P04"), func() {
		p.publish("1.0.0", failing)
		WriteFile(p.programs+"/npx", "#!/bin/sh\nexec '"+ScriptedServer()+"' -script '"+p.versions+"/works'\n")
		Expect(WithDefinitions(script.Tool("read")).Save(p.versions + "/works")).To(Succeed())

		outcome := p.run("lock", "--packages")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(MatchRegexp(`^not pinned: dev / files: version 1\.0\.0 does not start: .*no licence`))
		Expect(outcome.Stdout).To(HaveSuffix("written (tools: 1)\n"))
		Expect(lock()).To(ContainSubstring(`"packages": {}`))
		Expect(p.packageLock()).NotTo(BeAnExistingFile())
	})

	It("fails when a package could not be pinned", Label("TS04"), func() {
		Expect(p.run("lock").Code).To(Equal(0))
		p.breaks("npm", "npm error code E500")

		outcome := p.run("lock", "--packages")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(ContainSubstring("not pinned: dev / files: resolve the npm package files-server"))
		Expect(p.run("lock", "--check").Code).To(Equal(0), "the lock of the tools is as it was")
	})

	It("says on standard error what it waits for, and nothing if there is no package", func() {
		Expect(p.run("lock", "--packages").Stderr).To(Equal(
			"mcp-workbench: dev/files: resolving files-server\nmcp-workbench: dev/files: installing files-server@1.0.0\n"))
		Expect(p.run("lock", "--update", "files").Stderr).To(Equal("mcp-workbench: dev/files: resolving files-server\n"))
		Expect(p.run("lock", "--packages").Stderr).To(BeEmpty(), "it is pinned")
	})

	It("writes nothing while tools differ from the lock, and names the command that accepts them", func() {
		Expect(p.run("lock").Code).To(Equal(0))
		before := lock()
		p.publish("1.1.0")

		outcome := p.run("lock", "--packages")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(HaveSuffix("nothing was written, lock --packages --update accepts this\n"))
		Expect(lock()).To(Equal(before))
		Expect(p.run("lock", "--packages", "--update").Code).To(Equal(0))
		Expect(lock()).To(ContainSubstring(`"version": "1.1.0"`))
	})

	It("has a JSON form for programs", func() {
		p.locks()
		p.publish("1.1.0")
		var found struct {
			Fits     bool
			Packages []map[string]any
		}

		Expect(json.Unmarshal([]byte(p.run("lock", "--packages", "--check", "--json").Stdout), &found)).To(Succeed())

		Expect(found.Fits).To(BeTrue())
		Expect(found.Packages).To(Equal([]map[string]any{{
			"toolbox": "dev", "server": "files", "package": "files-server", "locked": "1.0.0", "pinned": "1.0.0", "newest": "1.1.0",
			"changed": 1., "installScripts": false, "scripted": []any{},
		}}))
	})
})

var _ = Describe("The doctor looks at pinned packages", func() {
	var p *packagedServer
	BeforeEach(func() {
		p = newPackagedServer()
		p.publish("1.0.0")
		p.locks()
	})
	// findings returns what the doctor finds about the server without starting it.
	findings := func() []Finding {
		GinkgoHelper()
		var result struct{ Findings []Finding }
		outcome := p.run("doctor", "--offline", "--json")
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed(), outcome.Stderr)
		var about []Finding
		for _, finding := range result.Findings {
			if finding.About == "dev/files" {
				about = append(about, finding)
			}
		}
		return about
	}

	It("and finds nothing if they fit, installed or not", func() {
		Expect(findings()).To(BeEmpty())
		p.elsewhere()
		Expect(findings()).To(BeEmpty())
	})

	It("and finds a pin that does not fit the configuration", func() {
		p.starts(`"command":"npx","args":["-y","files-server@1"]`)

		Expect(findings()).To(ConsistOf(Finding{
			Code: "D022", About: "dev/files",
			Found: "its pin is not used: it is locked for files-server, and the configuration says files-server@1",
			Fix:   "'mcp-workbench lock --packages' pins it again",
		}))
	})

	It("and finds that a needed lock file is missing", func() {
		Expect(os.Remove(p.packageLock())).To(Succeed())
		Expect(findings()).To(BeEmpty(), "it is installed here")

		p.elsewhere()

		Expect(findings()).To(HaveExactElements(And(
			HaveField("Code", "D022"),
			HaveField("Found", And(HavePrefix("files-server@1.0.0 is not installed on this machine"), HaveSuffix("it does not exist"))),
			HaveField("Fix", HaveSuffix("'mcp-workbench lock --update dev/files'")),
		)))
	})

	It("and finds a registry of Python that is out of reach once, and does not wait for other tries", func() {
		uvx := func(name string) Server { return Program(name, "uvx", `"args": ["files-server"]`) }
		WriteFile(p.config(), Configuration(InDev(uvx("a"), uvx("b"))))
		p.offline("uvx")

		outcome := p.run("doctor")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(MatchRegexp(`(?m)^D027 dev/a, dev/b: the registry from which it is downloaded cannot be reached\n`))
		Expect(p.calls("uvx")).To(HaveLen(2))
	})

	It("and finds servers that do not start if only pinned packages do", func() {
		p.configure(`"packages":"locked",`)
		Expect(findings()).To(BeEmpty())

		Expect(os.Remove(p.folder + "/workbench.lock.json")).To(Succeed())

		Expect(findings()).To(HaveExactElements(And(
			HaveField("Code", "D022"), HaveField("Found", HavePrefix("its package is not pinned")),
		)))
	})
})
