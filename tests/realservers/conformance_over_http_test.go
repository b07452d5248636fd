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

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// scenarioOverHTTP is a scenario for a workbench that listens.
type scenarioOverHTTP struct {
	name string
	// unseen are the checks that require a tool of the judge in the workbench's list.
	unseen []string
}

// passedOverHTTP are the scenarios that reach the workbench directly, by
// version.
var passedOverHTTP = map[string][]scenarioOverHTTP{
	"2025-11-25": {
		{name: "server-initialize"},
		{name: "ping"},
		{name: "tools-list"},
		{name: "server-session-lifecycle"},
		{name: "server-sse-multiple-streams"},
		{name: "dns-rebinding-protection"},
		{name: "logging-set-level"},
	},
	"2026-07-28": {
		{name: "tools-list"},
		{name: "http-header-validation"},
		{name: "server-sse-multiple-streams"},
		{name: "dns-rebinding-protection"},
		{name: "sep-2164-resource-not-found"},
		{name: "input-required-result-unsupported-methods"},
		{name: "server-stateless", unseen: []string{
			"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
			"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
			"sep-2575-server-sends-prompts-list-changed-on-subscription", "sep-2575-server-sends-tools-list-changed-on-subscription",
		}},
	},
}

// renamedOverHTTP are the scenarios about tools, prompts and resources of a server. Only the names of its
// tools and prompts are changed on the way.
var renamedOverHTTP = map[string][]string{
	"2025-11-25": {
		"completion-complete", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
		"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
		"resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe",
		"resources-unsubscribe", "prompts-list", "prompts-get-simple", "prompts-get-with-args",
		"prompts-get-embedded-resource", "prompts-get-with-image", "server-sse-polling",
	},
	"2026-07-28": {
		"completion-complete", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-error", "tools-call-with-progress", "caching",
		"resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read", "prompts-list",
		"prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image", "server-stateless",
	},
}

// unseenOfServers are the checks in these that no server behind the workbench can pass: none of its tools changes
// the tools of the workbench.
var unseenOfServers = map[string][]string{
	"server-stateless": {
		"sep-2575-server-sends-tools-list-changed-on-subscription",
	},
}

// retriedOverHTTP are the scenarios about a server of 2026-07-28 that asks for input.
var retriedOverHTTP = map[string][]string{
	"2026-07-28": {
		"input-required-result-basic-elicitation", "input-required-result-basic-sampling", "input-required-result-basic-list-roots",
		"input-required-result-request-state", "input-required-result-multiple-input-requests", "input-required-result-multi-round",
		"input-required-result-missing-input-response", "input-required-result-non-tool-request", "input-required-result-result-type",
		"input-required-result-capability-check", "input-required-result-ignore-extra-params",
		"input-required-result-validate-input", "input-required-result-tampered-state",
	},
}

const (
	aboutLists   = "it judges definitions of tools that only a list of opened tools has"
	aboutHeaders = "it wants a tool with x-mcp-header in the list, and the workbench's own have none"
)

// leftOutOverHTTP are the scenarios that do not apply, and why.
var leftOutOverHTTP = map[string]map[string]string{
	"2025-11-25": {"json-schema-2020-12": aboutLists},
	"2026-07-28": {
		"json-schema-2020-12": aboutLists, "http-custom-header-server-validation": aboutHeaders,
	},
}

var _ = Describe("Being judged over HTTP by the conformance runner", Label("U07"), func() {
	BeforeEach(requireNodeForJudges)

	// judge runs a scenario, which must find no fault.
	judge := func(ctx SpecContext, url string, s scenarioOverHTTP, version string) {
		GinkgoHelper()
		results := GinkgoT().TempDir()
		ran := runNode(ctx, ownHome(), conformanceRunner(), "server", "--url", url, "--scenario", s.name,
			"--spec-version", version, "--output-dir", results)

		var unseen []string
		checks := readChecks(results)
		for _, c := range checks {
			if slices.Contains(s.unseen, c.ID) {
				unseen = append(unseen, c.ID)
				continue
			}
			Expect(c.Status).To(BeElementOf("SUCCESS", "INFO"), "%s: %s", c.ID, c.Error)
		}
		Expect(checks).To(ContainElement(HaveField("Status", "SUCCESS")))
		Expect(unseen).To(ConsistOf(s.unseen))
		if len(s.unseen) == 0 {
			Expect(ran.code).To(Equal(0))
		}
	}

	for version, scenarios := range passedOverHTTP {
		for _, s := range scenarios {
			It("passes "+s.name+" of "+version, func(ctx SpecContext) {
				url, _ := listen(judgedConfiguration())

				judge(ctx, url, s, version)
			}, SpecTimeout(time.Minute))
		}
		renamed := func(name string, judged func() script.Script) {
			It("passes "+name+" of "+version+", with the names of a server", func(ctx SpecContext) {
				url, _ := listen(configurationOf(judged()))

				judge(ctx, relayTo(url), scenarioOverHTTP{name: name, unseen: unseenOfServers[name]}, version)
			}, SpecTimeout(time.Minute))
		}
		for _, name := range renamedOverHTTP[version] {
			renamed(name, conformanceServer)
		}
		for _, name := range retriedOverHTTP[version] {
			renamed(name, retryingServer)
		}

		It("leaves no scenario of "+version+" out without a reason", func(ctx SpecContext) {
			offered := runNode(ctx, ownHome(), conformanceRunner(), "list", "--server", "--spec-version", version)

			known := slices.Concat(renamedOverHTTP[version], retriedOverHTTP[version])
			for _, s := range scenarios {
				known = append(known, s.name)
			}
			for name := range leftOutOverHTTP[version] {
				known = append(known, name)
			}
			slices.Sort(known)
			Expect(offeredIn(offered.stdout)).To(ConsistOf(slices.Compact(known)))
		}, SpecTimeout(time.Minute))
	}
})

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
			"--output-dir", results, "--command", fmt.Sprintf("%s %s %s", node.path, visitor, BuiltWorkbench()),
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

// The scenarios of the conformance runner about logins. Its authorization servers agree
// immediately, so the user is a program that opens the address that the host is asked to show.

// judgedLogins returns the scenarios that the workbench passes.
func judgedLogins() []judgedClient {
	var scenarios []judgedClient
	for _, name := range []string{
		"metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd",
		"scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined", "scope-step-up",
		"scope-retry-limit", "token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none",
		"pre-registration",
	} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			scenarios = append(scenarios, judgedClient{name: "auth/" + name, version: version})
		}
	}
	for _, name := range []string{
		"resource-mismatch", "offline-access-scope", "offline-access-not-supported", "authorization-server-migration",
		"iss-supported", "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer", "iss-unexpected",
		"iss-normalized", "metadata-issuer-mismatch",
	} {
		scenarios = append(scenarios, judgedClient{name: "auth/" + name, version: "2026-07-28"})
	}
	return append(scenarios,
		judgedClient{name: "auth/2025-03-26-oauth-metadata-backcompat", version: "2025-03-26"},
		judgedClient{name: "auth/client-credentials-basic", version: "2025-11-25", extension: true},
		judgedClient{name: "auth/client-credentials-jwt", version: "2025-11-25", extension: true},
		judgedClient{name: "auth/wif-jwt-bearer", version: "2025-11-25", extension: true},
	)
}

// leftOutClients are the scenarios that do not apply, with their version, and why.
var leftOutClients = []struct{ name, why string }{
	{
		name: "auth/2025-03-26-oauth-endpoint-fallback of 2025-03-26",
		why:  "addresses that no metadata name would be guessed, which makes a puzzling 404 of a missing document",
	},
	{name: "auth/enterprise-managed-authorization of extension", why: noEnterprise},
	{name: "auth/dpop of extension", why: noDPoP},
	{name: "auth/dpop-nonce of extension", why: noDPoP},
	{name: "sep-2640-client-no-prefetch of extension", why: noSkills},
	{name: "sep-2640-client-verify-digest of extension", why: noSkills},
	{name: "sep-2640-client-verify-size of extension", why: noSkills},
	{name: "sep-2640-client-verify-frontmatter of extension", why: noSkills},
}

const (
	noEnterprise = "SEP-990 needs an identity provider of a company, which hardly any server asks for yet"
	noDPoP       = "SEP-1932 binds tokens to a key, which hardly any server asks for yet"
	noSkills     = "the workbench passes skills on, and the host that loads one verifies it"
)
