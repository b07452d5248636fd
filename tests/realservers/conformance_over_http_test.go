package realservers_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// scenarioOverHTTP is a scenario that is run against a workbench that listens.
type scenarioOverHTTP struct {
	name string
	// unseen are the checks that want a tool of the judge's own in the workbench's list.
	unseen []string
}

// passedOverHTTP are the scenarios that reach the workbench with nothing in between, by
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

// renamedOverHTTP are the scenarios about what is in a server. Names of its tools and
// prompts are changed on the way, and nothing else.
var renamedOverHTTP = map[string][]string{
	"2025-11-25": {
		"completion-complete", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
		"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
		"resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe",
		"resources-unsubscribe", "prompts-list", "prompts-get-simple", "prompts-get-with-args",
		"prompts-get-embedded-resource", "prompts-get-with-image",
	},
	"2026-07-28": {
		"completion-complete", "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-error", "tools-call-with-progress", "caching",
		"resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read", "prompts-list",
		"prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
	},
}

const (
	aboutLists    = "it judges definitions of tools that only a list of opened tools has, see passed"
	aboutHeaders  = "it wants a tool with x-mcp-header in the list, and the workbench's own have none"
	aboutPolling  = "it wants a tool whose server closes the stream of the call, which the workbench never does"
	aboutRetrying = "it wants tools that answer with input_required in the list; what servers ask is judged by specs of its own"
)

// leftOutOverHTTP are the scenarios that do not apply, and why.
var leftOutOverHTTP = map[string]map[string]string{
	"2025-11-25": {"json-schema-2020-12": aboutLists, "server-sse-polling": aboutPolling},
	"2026-07-28": {
		"json-schema-2020-12": aboutLists, "http-custom-header-server-validation": aboutHeaders,
		"input-required-result-basic-elicitation": aboutRetrying, "input-required-result-basic-sampling": aboutRetrying,
		"input-required-result-basic-list-roots": aboutRetrying, "input-required-result-request-state": aboutRetrying,
		"input-required-result-multiple-input-requests": aboutRetrying, "input-required-result-multi-round": aboutRetrying,
		"input-required-result-missing-input-response": aboutRetrying, "input-required-result-non-tool-request": aboutRetrying,
		"input-required-result-result-type": aboutRetrying, "input-required-result-tampered-state": aboutRetrying,
		"input-required-result-capability-check": aboutRetrying, "input-required-result-ignore-extra-params": aboutRetrying,
		"input-required-result-validate-input": aboutRetrying,
	},
}

var _ = Describe("Being judged over HTTP by the conformance runner", Label("U07"), func() {
	BeforeEach(requireNodeForJudges)

	// judge runs a scenario and returns what the runner looked at.
	judge := func(ctx SpecContext, url, name, version string) ([]check, int) {
		GinkgoHelper()
		results := GinkgoT().TempDir()
		ran := runNode(ctx, ownHome(), conformanceRunner(), "server", "--url", url, "--scenario", name,
			"--spec-version", version, "--output-dir", results)
		return readChecks(results), ran.code
	}

	for version, scenarios := range passedOverHTTP {
		for _, s := range scenarios {
			It("passes "+s.name+" of "+version, func(ctx SpecContext) {
				url, _ := listen(judgedConfiguration())

				checks, code := judge(ctx, url, s.name, version)

				var unseen []string
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
					Expect(code).To(Equal(0))
				}
			}, SpecTimeout(time.Minute))
		}
		for _, name := range renamedOverHTTP[version] {
			It("passes "+name+" of "+version+", with the names of a server", func(ctx SpecContext) {
				url, _ := listen(judgedConfiguration())

				checks, code := judge(ctx, bridge(ctx, "-url", url), name, version)

				Expect(checks).To(ContainElement(HaveField("Status", "SUCCESS")))
				Expect(checks).To(HaveEach(HaveField("Status", BeElementOf("SUCCESS", "INFO"))))
				Expect(code).To(Equal(0))
			}, SpecTimeout(time.Minute))
		}

		It("leaves no scenario of "+version+" out without a reason", func(ctx SpecContext) {
			offered := runNode(ctx, ownHome(), conformanceRunner(), "list", "--server", "--spec-version", version)

			known := slices.Clone(renamedOverHTTP[version])
			for _, s := range scenarios {
				known = append(known, s.name)
			}
			for name := range leftOutOverHTTP[version] {
				known = append(known, name)
			}
			Expect(offeredIn(offered.stdout)).To(ConsistOf(known))
		}, SpecTimeout(time.Minute))
	}
})
