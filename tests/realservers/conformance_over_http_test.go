package realservers_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
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
