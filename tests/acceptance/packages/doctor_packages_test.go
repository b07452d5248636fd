package packages_test

import (
	"encoding/json"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

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
