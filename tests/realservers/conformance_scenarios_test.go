package realservers_test

// scenario is one that the conformance runner offers.
type scenario struct {
	name  string
	lists listing
	why   string // it waits
}

// listing is what the runner's tools/list is answered with.
type listing bool

const (
	ownTools    listing = false // the workbench's two
	openedTools listing = true  // those of the opened toolbox
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
}

// waiting are the scenarios that apply once what a server says or asks during a
// call reaches the host. The conformance server has their tools already.
var waiting = []scenario{
	{name: "tools-call-with-logging", why: "log messages do not reach the host yet"},
	{name: "logging-set-level", why: "there are no log messages for the host yet"},
	{name: "tools-call-with-progress", why: "progress does not reach the host yet"},
	{name: "tools-call-sampling", why: "servers cannot ask the host for a sample yet"},
	{name: "tools-call-elicitation", why: "servers cannot ask the user yet"},
	{name: "elicitation-sep1034-defaults", why: "servers cannot ask the user yet"},
	{name: "elicitation-sep1330-enums", why: "servers cannot ask the user yet"},
}

const (
	noResources = "the workbench brings in tools, not resources"
	noPrompts   = "the workbench brings in tools, not prompts"
	aboutHTTP   = "it judges HTTP, which is the bridge's here"
)

// foreign are the scenarios that do not apply, and why.
var foreign = []scenario{
	{name: "completion-complete", why: "completion is for prompts and resources"},
	{name: "resources-list", why: noResources},
	{name: "resources-read-text", why: noResources},
	{name: "resources-read-binary", why: noResources},
	{name: "resources-templates-read", why: noResources},
	{name: "resources-subscribe", why: noResources},
	{name: "resources-unsubscribe", why: noResources},
	{name: "prompts-list", why: noPrompts},
	{name: "prompts-get-simple", why: noPrompts},
	{name: "prompts-get-with-args", why: noPrompts},
	{name: "prompts-get-embedded-resource", why: noPrompts},
	{name: "prompts-get-with-image", why: noPrompts},
	{name: "server-sse-polling", why: aboutHTTP},
	{name: "server-sse-multiple-streams", why: aboutHTTP},
	{name: "dns-rebinding-protection", why: aboutHTTP},
}
