package config

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// ToolMode says how the host sees the tools of open toolboxes.
type ToolMode string

// The tool modes.
const (
	// Proxy shows the host the same tools at all times (tests/acceptance/CONTRACT.md sections 3 to 7).
	Proxy ToolMode = "proxy"
	// Dynamic registers the tools of open toolboxes as well (tests/acceptance/CONTRACT.md section 8).
	Dynamic ToolMode = "dynamic"
)

// SpanParent says how the spans of calls relate to the span of their host.
type SpanParent string

// The relations of spans.
const (
	// ParentHost makes the span of the host the parent of the spans of its calls.
	ParentHost SpanParent = "host"
	// ParentLink begins a trace of its own for each call, with a link to the span of the host.
	ParentLink SpanParent = "link"
)

// Root holds the settings at the root, merged from the file, the environment and flags.
type Root struct {
	// LogLevel is the least severe level to log.
	LogLevel slog.Level
	// LogFile is the absolute path of a file to which serve writes its log too, "" for none.
	LogFile string
	// SpanParent says how the spans of calls relate to the span of their host.
	SpanParent SpanParent
	// ToolMode says how the host sees the tools of open toolboxes.
	ToolMode ToolMode
	// LogPayloads says that arguments and results of calls are logged.
	LogPayloads bool
	// FindTool says that hosts have find_tool, and that using a tool opens its toolbox.
	FindTool bool
	// Apps says that pages of tools are passed on to hosts that render them.
	Apps bool
	// Skills says that skills of servers are passed on to hosts that use them.
	Skills bool
	// OpenOnUse says that using a tool opens its toolbox.
	OpenOnUse bool
	// Status says that the workbench tells its user what it is doing.
	Status bool
	// Activity holds the settings of the activity record.
	Activity domain.RecordSettings
	// Approvals are those of the root. Each server has the approvals of all levels.
	Approvals domain.Approvals
	// Pinning says what happens to tools that differ from the lock.
	Pinning domain.PinPolicy
	// Packages says what happens to servers whose packages are fetched by launchers.
	Packages domain.PackagePolicy
	// Limits are those of the root, which bound the host as well.
	Limits domain.Limits
	// Definitions says how much of the definitions of tools is shown, and which calls are checked.
	Definitions definitions.Settings
	// Background says whether hosts share a background workbench.
	Background Background
	// HTTP are the settings of access when the workbench listens on HTTP.
	HTTP HTTP
	// Registry is asked by commands only, never while hosts are served.
	Registry Registry

	isStrict bool
	// readTool says that read_tool is asked for. The dynamic mode never has it.
	readTool bool
	// results is for toolboxes without a mode of their own.
	results domain.ResultsMode
	// start is for toolboxes without a start mode of their own.
	start domain.StartMode
	// inheritEnv is for servers without an inheritEnv of their own, nil if the root has none.
	inheritEnv json.RawMessage
}

var rootKeys = []string{
	toolboxesKey, logLevelKey, logFileKey, toolModeKey, definitionsKey, resultsKey, validateKey, pinningKey, startKey, packagesKey, limitsKey,
	telemetryKey, idleTimeoutKey, inheritEnvKey, logPayloadsKey, openOnUseKey, findToolKey, appsKey, skillsKey, statusKey, activityKey, backgroundKey, readToolKey, confirmKey, readOnlyKey,
	trustAnnotationsKey, strictKey, httpKey, secretsKey, envFileKey, includeKey, registryKey,
}

// hostKeys are the keys of servers at the root of hosts' files.
var hostKeys = []string{"mcpServers", "servers"}

// readRoot merges the layers of settings and reads what only the file can have. It does not read
// approvals. names are those of the toolboxes of all files.
func (r *reader) readRoot(members object, options Options, names []string) (*Root, error) {
	file, variables, flags := r.fileLayer(members), r.environmentLayer(), r.flagLayer(options.Flags)
	r.given = []layer{variables, flags}
	merged, err := merge(defaults(options.IdleTimeout), file, variables, flags)
	if err != nil {
		return nil, err
	}
	root := &Root{
		LogLevel:    logLevels[merged.String(logLevelKey)],
		LogFile:     merged.String(logFileKey),
		SpanParent:  SpanParent(merged.String(telemetryKey)),
		ToolMode:    ToolMode(merged.String(toolModeKey)),
		LogPayloads: merged.Bool(logPayloadsKey),
		OpenOnUse:   merged.Bool(openOnUseKey),
		FindTool:    merged.Bool(findToolKey),
		Apps:        merged.Bool(appsKey),
		Skills:      merged.Bool(skillsKey),
		Status:      merged.Bool(statusKey),
		Pinning:     domain.PinPolicy(merged.String(pinningKey)),
		Packages:    domain.PackagePolicy(merged.String(packagesKey)),
		isStrict:    merged.Bool(strictKey),
		readTool:    merged.Bool(readToolKey),
		results:     domain.ResultsMode(merged.String(resultsKey)),
		start:       domain.StartMode(merged.String(startKey)),
	}
	for _, entry := range rootLimits() {
		*entry.field(&root.Limits) = merged.Int64(entry.setting())
	}
	root.Definitions = definitions.Settings{
		Default:    definitions.Form(merged.String(definitionsKey)),
		ByToolbox:  map[domain.ToolboxName]definitions.Form{},
		Budget:     int(root.Limits.Definitions),
		Registered: root.ToolMode == Dynamic,
		ReadTool:   root.readTool && root.ToolMode != Dynamic,
		FindTool:   root.FindTool,
	}
	root.Definitions.Validation = validation(merged.Get(validateKey))
	if m, ok := members.get(inheritEnvKey); ok {
		root.inheritEnv = r.rootInheritEnv(m.node)
	}
	root.Activity = r.activity(members)
	root.Activity.Off = !merged.Bool(activityKey)
	root.Background = r.background(members)
	root.Background.On = merged.Bool(backgroundKey)
	root.Registry = r.registry(members, merged.String(registryKey), root.Limits)
	if m, ok := members.get(httpKey); ok {
		root.HTTP = r.http(m.node, names)
	}
	return root, nil
}

// rootInheritEnv reads the inheritEnv of servers that have none of their own.
func (r *reader) rootInheritEnv(n node) json.RawMessage {
	before := len(r.problems)
	const wanted = "true, false or a list of variable names"
	switch value := n.value.Value.(type) {
	case *hujson.Array:
		for _, element := range r.list(n, wanted) {
			_, _ = r.text(element, "a variable name")
		}
	case hujson.Literal:
		if word := string(value); word != "true" && word != "false" && word != `"all"` {
			r.wrongValue(n, wanted)
		}
	default:
		r.wrongKind(n, wanted)
	}
	if len(r.problems) > before {
		return nil
	}
	return standardised(n)
}

// missingToolboxes reports that the root has no toolboxes. For the file of a host it
// says how to convert it.
func (r *reader) missingToolboxes(root node, members object) {
	for _, m := range members {
		if isHostFile(m, members) {
			found := strconv.Quote(m.name) + " at the root, as in the file of a host"
			r.wrong(m.key(), found, `it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`)
			return
		}
	}
	if root.value.Value.Kind() == '{' {
		r.wrong(root.absent(toolboxesKey), "nothing", "an object of toolboxes, {} for none")
	}
}

// isHostFile reports whether the member makes the root look like the file of a
// host.
func isHostFile(m member, members object) bool {
	return slices.Contains(hostKeys, m.name) && !members.has(toolboxesKey)
}
