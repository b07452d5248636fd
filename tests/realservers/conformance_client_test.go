package realservers_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// judgedClient is a scenario of the conformance runner in which the workbench reaches a
// server over HTTP.
type judgedClient struct {
	name, version string
	// skipped are its checks that do not apply.
	skipped []string
	// extension means that the scenario belongs to no version.
	extension bool
}

// judgedClients are all scenarios of the last version with a handshake and the
// first without, except for those about logins.
var judgedClients = []judgedClient{
	{name: "initialize", version: "2025-11-25"},
	{name: "tools_call", version: "2025-11-25"},
	{name: "elicitation-sep1034-client-defaults", version: "2025-11-25"},
	{name: "sse-retry", version: "2025-11-25"},
	{name: "json-schema-2020-12-preservation", version: "2025-11-25"},
	{name: "tools_call", version: "2026-07-28"},
	{name: "request-metadata", version: "2026-07-28"},
	{name: "sep-2322-client-request-state", version: "2026-07-28"},
	{name: "http-standard-headers", version: "2026-07-28", skipped: []string{
		// That version has no handshake.
		"ClientMcpMethodHeader_initialize", "ClientMcpMethodHeader_notifications_initialized",
	}},
	{name: "http-custom-headers", version: "2026-07-28"},
	{name: "http-invalid-tool-headers", version: "2026-07-28"},
	{name: "json-schema-ref-no-deref", version: "2026-07-28"},
	{name: "json-schema-2020-12-preservation", version: "2026-07-28"},
}

var _ = Describe("Being judged by the conformance runner as a client", Label("U07"), func() {
	BeforeEach(requireNodeForJudges)

	judged := slices.Concat(judgedClients, judgedLogins())
	var entries []TableEntry
	for _, s := range judged {
		entries = append(entries, Entry(s.name+" of "+s.version, SpecTimeout(time.Minute), s))
	}

	DescribeTable("it passes", func(ctx SpecContext, s judgedClient) {
		results := GinkgoT().TempDir()
		visitor, err := filepath.Abs("clients/visit.mjs")
		Expect(err).NotTo(HaveOccurred())

		args := []string{
			"client", "--scenario", s.name, "--spec-version", s.version,
			"--output-dir", results, "--command", fmt.Sprintf("%s %s %s", node.path, visitor, programs.Workbench),
		}
		if s.extension {
			args = append(args, "--force")
		}
		ran := runNode(ctx, append(ownHome(), "XDG_STATE_HOME="), conformanceRunner(), args...)

		checks := readChecks(results)
		Expect(checks).To(ContainElement(HaveField("Status", "SUCCESS")))
		Expect(checks).To(HaveEach(HaveField("Status", BeElementOf("SUCCESS", "INFO", "SKIPPED"))))
		var skipped []string
		for _, c := range checks {
			if c.Status == "SKIPPED" {
				skipped = append(skipped, c.Name)
			}
		}
		Expect(skipped).To(ConsistOf(s.skipped))
		Expect(ran.code).To(Equal(0))
	}, entries)

	It("leaves no scenario out without a reason", func(ctx SpecContext) {
		offered := runNode(ctx, ownHome(), conformanceRunner(), "list", "--client")

		var names, known []string
		for _, line := range regexp.MustCompile(`(?m)^  - (\S+) \[(.*)\]`).FindAllStringSubmatch(offered.stdout, -1) {
			for version := range strings.SplitSeq(line[2], ",") {
				if version != "2025-06-18" { // later versions have all its scenarios too
					names = append(names, line[1]+" of "+version)
				}
			}
		}
		for _, s := range judged {
			if s.extension {
				s.version = "extension"
			}
			known = append(known, s.name+" of "+s.version)
		}
		for _, s := range leftOutClients {
			known = append(known, s.name)
		}
		Expect(names).To(ConsistOf(known))
	}, SpecTimeout(time.Minute))
})
