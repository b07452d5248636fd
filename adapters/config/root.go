package config

import (
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
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

// Root holds the settings at the root, merged from the file, the environment and flags. Its tags (key) are the table of
// keys, from which come the reading of each source, the schema, the review of `trust` and what a reload compares. A
// setting that has a type, words or a default in its tags has an environment variable too.
type Root struct {
	_ boxes `key:"toolboxes" is:"shown"`
	// Projects says that the toolboxes of the project's file in the working folder are served beside those of the
	// user's own file.
	Projects bool `key:"projects" default:"true" is:"free harmless"`
	// LogLevel is the least severe level to log.
	LogLevel slog.Level `key:"logLevel" default:"warn" oneOf:"debug info warn error" is:"free harmless"`
	// LogFile is the absolute path of a file to which serve writes its log too, "" for none.
	LogFile string `key:"logFile" is:"path free start" pattern:"^(/|\\\\\\\\|[A-Za-z]:[\\\\/])"`
	// SpanParent says how the spans of calls relate to the span of their host.
	SpanParent SpanParent `key:"telemetryParent" default:"host" oneOf:"host link" is:"free start harmless"`
	// ToolMode says how the host sees the tools of open toolboxes.
	ToolMode ToolMode `key:"toolMode" default:"proxy" oneOf:"proxy dynamic" is:"free start harmless"`
	// LogPayloads says that arguments and results of calls are logged.
	LogPayloads bool `key:"logPayloads" default:"false" is:"protection"`
	// OpenOnUse says that using a tool opens its toolbox.
	OpenOnUse bool `key:"openOnUse" default:"false" is:"free start harmless"`
	// FindTool says that hosts have find_tool, and that using a tool opens its toolbox.
	FindTool bool `key:"findTool" default:"false" is:"free start harmless"`
	// Apps says that pages of tools are passed on to hosts that render them.
	Apps bool `key:"apps" default:"true" is:"start"`
	// Skills says that skills of servers are passed on to hosts that use them.
	Skills bool `key:"skills" default:"true" is:"start"`
	// Status says that the workbench tells its user what it is doing.
	Status bool `key:"status" default:"true" is:"start protection"`
	// Activity holds the settings of the activity record.
	Activity Record `key:"activity" default:"true" is:"switch start protection" wanted:"true, false or an object with \"maxSize\" and \"days\""`
	// Background says whether hosts share a background workbench.
	Background Background `key:"background" default:"false" is:"switch free start" wanted:"true, false or an object with \"linger\""`
	// ReadTool says that read_tool is asked for. The dynamic mode never has it.
	ReadTool bool `key:"readTool" default:"false" is:"free protection"`
	// Strict says that a configuration with problems is not used at all.
	Strict bool `key:"strict" default:"false" is:"numeric harmless"`
	// Form is how much of the definitions of tools is shown, unless a toolbox says otherwise.
	Form definitions.Form `key:"definitions" default:"full" is:"free harmless"`
	_    bool             `key:"validate" is:"protection"`
	// Results is for toolboxes without a mode of their own.
	Results domain.ResultsMode `key:"results" default:"whole" is:"free harmless"`
	// Pinning says what happens to tools that differ from the lock.
	Pinning domain.PinPolicy `key:"pinning" oneOf:"off warn block" is:"protection"`
	// Start is for toolboxes without a start mode of their own.
	Start domain.StartMode `key:"start" default:"open" is:"free"`
	// Registry is asked by commands only, never while hosts are served.
	Registry Registry `key:"registry" default:"https://registry.modelcontextprotocol.io" is:"apart"`
	// Packages says what happens to servers whose packages are fetched by launchers.
	Packages domain.PackagePolicy `key:"packages" default:"pinned" oneOf:"off pinned locked" is:"protection"`
	// Limits are those of the root, which bound the host as well.
	Limits domain.Limits
	_      limitsObject  `key:"limits" is:"harmless"`
	_      time.Duration `key:"idleTimeout" from:"0s" default:"0s" is:"free harmless"`
	// inheritEnv is for servers without an inheritEnv of their own, nil if the root has none.
	inheritEnv inherited `key:"inheritEnv" is:"shown protection"`
	// Approvals are those of the root. Each server has the approvals of all levels.
	Approvals domain.Approvals
	ApprovalKeys
	// HTTP are the settings of access when the workbench listens on HTTP.
	HTTP HTTP     `key:"http" is:"apart"`
	_    places   `key:"secrets" is:"shown"`
	_    string   `key:"envFile" is:"shown" pattern:"^[^~]" not:"\\$\\{"`
	_    []string `key:"include" is:"free shown" pattern:"^[^~]" not:"\\$\\{"`
	// Definitions says how much of the definitions of tools is shown, and which calls are checked.
	Definitions definitions.Settings
}

// hostKeys are the keys of servers at the root of hosts' files.
var hostKeys = []string{"mcpServers", "servers"}

// readRoot merges the layers of settings and reads what only the file can have. It does not read
// approvals. names are those of the toolboxes of all files.
func (r *reader) readRoot(members tree.Object, options Options, names []string) (*Root, error) {
	merged, err := r.merged(members, options)
	if err != nil {
		return nil, err
	}
	root := new(standardRoot)
	root.fill(merged)
	root.Definitions = definitions.Settings{
		Default:    root.Form,
		ByToolbox:  map[domain.ToolboxName]definitions.Form{},
		Budget:     int(root.Limits.Definitions),
		Registered: root.ToolMode == Dynamic,
		ReadTool:   root.ReadTool && root.ToolMode != Dynamic,
		FindTool:   root.FindTool,
	}
	root.Definitions.Validation = validation(merged.Get(validateKey))
	if m, ok := members.Get(inheritEnvKey); ok {
		root.inheritEnv = r.rootInheritEnv(m.Node)
	}
	for _, m := range members {
		if key, ok := rootKeys.Get(m.Name); ok && key.Is(keys.Switch) && m.Value.Value.Kind() == '{' {
			r.fillKey(m.Node, key, reflect.ValueOf(root).Elem())
		}
	}
	root.Activity.Off, root.Background.On = !merged.Bool(activityKey), merged.Bool(backgroundKey)
	r.names = names
	root.Registry = r.registry(members, merged.String(registryKey), root.Limits)
	if m, ok := members.Get(httpKey); ok {
		root.HTTP = r.http(m.Node)
	}
	return root, nil
}

// rootInheritEnv reads the inheritEnv of servers that have none of their own.
func (r *reader) rootInheritEnv(n tree.Node) inherited {
	before := len(r.Problems)
	const wanted = "true, false or a list of variable names"
	switch value := n.Value.Value.(type) {
	case *hujson.Array:
		for _, element := range r.List(n, wanted) {
			_, _ = r.Text(element, "a variable name")
		}
	case hujson.Literal:
		if word := string(value); word != "true" && word != "false" && word != `"all"` {
			r.WrongValue(n, wanted)
		}
	default:
		r.WrongKind(n, wanted)
	}
	if len(r.Problems) > before {
		return nil
	}
	return standardised(n)
}

// missingToolboxes reports that the root has no toolboxes. For the file of a host it
// says how to convert it.
func (r *reader) missingToolboxes(root tree.Node, members tree.Object) {
	for _, m := range members {
		if isHostFile(m, members) {
			found := strconv.Quote(m.Name) + " at the root, as in the file of a host"
			r.Wrong(m.Key(), found, `it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`)
			return
		}
	}
	if root.Value.Value.Kind() == '{' {
		r.Wrong(root.Absent(toolboxesKey), "nothing", "an object of toolboxes, {} for none")
	}
}

// isHostFile reports whether the member makes the root look like the file of a
// host.
func isHostFile(m tree.Member, members tree.Object) bool {
	return slices.Contains(hostKeys, m.Name) && !members.Has(toolboxesKey)
}
