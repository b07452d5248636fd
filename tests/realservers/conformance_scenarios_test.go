package realservers_test

// scenario is a scenario of the conformance runner.
type scenario struct {
	name  string
	lists listing
	why   string // the reason why it does not apply
}

// listing is the answer to the runner's tools/list.
type listing bool

const (
	ownTools    listing = false // the two tools of the workbench
	openedTools listing = true  // the tools of the opened toolbox
)

// passed are the scenarios that apply.
var passed = []scenario{
	{name: "server-initialize"},
	{name: "ping"},
	{name: "tools-list", lists: ownTools},
	{name: "tools-list", lists: openedTools},
	{name: "tools-call-simple-text"},
	{name: "tools-call-image"},
	{name: "tools-call-audio"},
	{name: "tools-call-embedded-resource"},
	{name: "tools-call-mixed-content"},
	{name: "tools-call-error"},
	{name: "json-schema-2020-12", lists: openedTools},
	{name: "tools-call-with-logging"},
	{name: "logging-set-level"},
	{name: "tools-call-with-progress"},
	{name: "tools-call-sampling"},
	{name: "tools-call-elicitation"},
	{name: "elicitation-sep1034-defaults"},
	{name: "elicitation-sep1330-enums"},
	{name: "resources-list"},
	{name: "resources-read-text"},
	{name: "resources-read-binary"},
	{name: "resources-templates-read"},
	{name: "resources-subscribe"},
	{name: "resources-unsubscribe"},
	{name: "prompts-list"},
	{name: "prompts-get-simple"},
	{name: "prompts-get-with-args"},
	{name: "prompts-get-embedded-resource"},
	{name: "prompts-get-with-image"},
	{name: "completion-complete"},
}

const aboutHTTP = "it judges HTTP, which is the bridge's here, see passedOverHTTP"

// foreign are the scenarios that do not apply, and why.
var foreign = []scenario{
	{name: "server-session-lifecycle", why: aboutHTTP},
	{name: "server-sse-polling", why: aboutHTTP},
	{name: "server-sse-multiple-streams", why: aboutHTTP},
	{name: "dns-rebinding-protection", why: aboutHTTP},
}
