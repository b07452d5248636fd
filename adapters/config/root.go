package config

import (
	"log/slog"
	"time"

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
	// Validate says which calls are checked, nil if the root does not say it.
	Validate *bool `key:"validate" is:"protection"`
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
	Definitions definitions.Settings `key:"-"`
}
