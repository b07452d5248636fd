package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// settings are the keys of one server of this kind in the configuration.
type settings struct {
	program
	Inherit        inheritance `json:"inheritEnv" is:"shown protection inherits unordered"`
	InstallScripts bool        `json:"installScripts" is:"protection"`
}

// program is a domain.Program as the configuration writes it.
type program struct {
	Command string            `json:"command" is:"shown expanded code line" required:"the program to start, a string" form:"any"`
	Args    []string          `json:"args" is:"shown expanded code line late"`
	Env     map[string]string `json:"env" is:"shown expanded data variables late"`
	Cwd     string            `json:"cwd" is:"shown expanded code"`
}

// inheritance says which variables of the workbench a server gets: all of them, few, or besides the usual ones those
// with these names.
type inheritance struct {
	everything, least bool
	names             []string
}

// UnmarshalJSON accepts true, false, "all" or a list of names.
func (i *inheritance) UnmarshalJSON(raw []byte) error {
	var everything bool
	if json.Unmarshal(raw, &everything) == nil && string(raw) != "null" {
		i.everything, i.least = everything, !everything
		return nil
	}
	if string(raw) == `"all"` {
		i.everything = true
		return nil
	}
	if err := json.Unmarshal(raw, &i.names); err != nil || i.names == nil {
		return fmt.Errorf("read inheritEnv: want true, false or a list of names")
	}
	return nil
}

// JSONSchema returns the schema of the values that UnmarshalJSON accepts.
func (inheritance) JSONSchema(map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "boolean"}, map[string]any{"type": "array", "items": map[string]any{"type": "string"}}, map[string]any{"const": "all"},
	}}
}

// Transport starts servers as child processes. Safe for concurrent use.
type Transport struct {
	identity    mcpclient.Identity
	supervision supervision
	queue       *launchQueue
	input       openPipe // creates the input of a server
	givesUp     bool     // see GiveUpOnRegistries
	place       Place
	log         *slog.Logger
}

// Place is the working directory and the environment in which programs are started. The zero value means those of
// this process.
type Place struct {
	// Environ is an environment as os.Environ returns it, nil for that of this process.
	Environ []string
	// Folder is the working directory, "" for that of this process.
	Folder string
}

// environ returns the environment.
func (p Place) environ() []string {
	if p.Environ == nil {
		return os.Environ()
	}
	return p.Environ
}

// resolve returns the path of a folder that may be relative to the place.
func (p Place) resolve(folder string) string {
	if p.Folder == "" || filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(p.Folder, folder)
}

// supervision ends all processes of a server: the process table finds its descendants, the
// guard ends them if the workbench is killed.
type supervision struct {
	processTable *processtree.Table
	guard        *processtree.Guard
}

// New returns the transport. Identity names the workbench to servers.
// The guard ends servers if the workbench is killed; it may be nil. Servers are started in the place.
func New(identity mcpclient.Identity, guard *processtree.Guard, place Place, log *slog.Logger) *Transport {
	return &Transport{
		identity: identity, supervision: supervision{processTable: &processtree.Table{}, guard: guard},
		queue: newLaunchQueue(), input: inputPipe, place: place, log: log,
	}
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	var s settings
	_ = json.Unmarshal(raw, &s) // they were checked
	return domain.Traits{
		Program: domain.Program(s.program), InheritsAll: s.Inherit.everything, InheritsLeast: s.Inherit.least, Inherits: s.Inherit.names,
		InstallScripts: s.InstallScripts,
	}
}

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	inherit := rawjson.Member(raw, "inheritEnv")
	if inherit == nil || json.Unmarshal(inherit, new(inheritance)) == nil {
		return nil
	}
	return &domain.SettingError{Key: []string{"inheritEnv"}, Found: rawjson.KindName(inherit), Wanted: "true, false or a list of variable names"}
}

// GiveUpOnRegistries makes npm and uv give up early on a registry that they cannot reach, unless the server's
// environment says otherwise. By default they keep trying, npm for minutes. It must be called before servers are
// started.
func (t *Transport) GiveUpOnRegistries() { t.givesUp = true }

// launcherSetting is a variable for a launcher, with other names, in lower case, under which the launcher reads it
// too.
type launcherSetting struct {
	variable string
	others   []string
}

// giveUpSettings are the settings of npm and uv for GiveUpOnRegistries.
var giveUpSettings = []launcherSetting{
	{variable: "npm_config_fetch_retries=0"},
	{variable: "npm_config_fetch_timeout=20000"},
	{variable: "UV_HTTP_RETRIES=0"},
	{"UV_HTTP_TIMEOUT=20", []string{"uv_request_timeout", "http_timeout"}},
}

// retrySettings are settings of npm for every start of a launcher. By default npm waits 10 and then 60 seconds
// before it tries again, so that opening a toolbox without a network would take more than a minute.
var retrySettings = []launcherSetting{
	{variable: "npm_config_fetch_retry_mintimeout=1000"},
	{variable: "npm_config_fetch_retry_maxtimeout=5000"},
}

// withSettings returns an environment with the settings that it lacks.
func withSettings(env []string, settings []launcherSetting) []string {
	var missing []string
	for _, setting := range settings {
		name, _, _ := strings.Cut(strings.ToLower(setting.variable), "=")
		isSet := func(entry string) bool {
			set, _, _ := strings.Cut(strings.ToLower(entry), "=")
			return set == name || slices.Contains(setting.others, set)
		}
		if !slices.ContainsFunc(env, isSet) {
			missing = append(missing, setting.variable)
		}
	}
	return append(env, missing...)
}

// failedStartGrace is the time a server that failed to connect has to end before it is
// killed.
const failedStartGrace = 2 * time.Second

// Connect implements ports.Connector: it starts the program and performs the handshake.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	messages := mcpclient.NewServerMessages(server, host, policy, server.Redact, log)
	launch, err := prepare(server, t.place)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	line := launcher.Read(launch.program.Command, launch.program.Args)
	launch.download, launch.container = line.Download(), line.StartsContainer()
	if launch.download != "" {
		launch.env = withSettings(launch.env, retrySettings)
		if t.givesUp {
			launch.env = withSettings(launch.env, giveUpSettings)
		}
	}
	t.report(host, launch, nil, nil)
	leave, err := t.queue.enter(ctx, launch.download)
	if err != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: err, Cause: ctx.Err()}
	}
	session, err := t.launch(ctx, launch, server, host, messages, log)
	if named, ok := errors.AsType[*versionError](err); ok {
		log.Info("the server ended at the handshake and named another protocol version", "version", named.version)
		messages.Offer = named.version
		session, err = t.launch(ctx, launch, server, host, messages, log)
	}
	leave(err == nil)
	if err != nil {
		return nil, err
	}
	return session, nil
}

// versionError says that a program ended at the handshake and named another version on its stderr.
type versionError struct {
	error
	version string
}

func (e *versionError) Unwrap() error { return e.error }

// otherVersion returns the version that the end of the program's stderr names as one that it speaks, ""
// for none.
func (p *process) otherVersion() string {
	last := strings.ToLower(p.errors.last())
	if !strings.Contains(last, "protocol") || !strings.Contains(last, "version") {
		return "" // dates are in many logs
	}
	return mcpclient.VersionIn(last, mcp.LATEST_LEGACY_PROTOCOL_VERSION)
}

// launch starts the program and performs the handshake.
// Failures: *versionError; those of Connect.
func (t *Transport) launch(
	ctx context.Context, launch launch, server domain.Server, host ports.Host, messages *mcpclient.ServerMessages, log *slog.Logger,
) (*session, error) {
	process, err := start(launch, server, messages.Said, t.input, t.supervision, log)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	log.Debug("started the server", "pid", process.cmd.Process.Pid)
	link := newLink(process, messages, server.Limits, log)
	t.report(host, launch, process, func() string { return messages.Said(link.Output()) })
	connected, err := mcpclient.Connect(ctx, link, messages, t.identity)
	link.isConnected.Store(err == nil)
	if err != nil {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStartGrace)
		defer cancel()
		_ = link.Close(grace) // the handshake's error says more
		if other := process.otherVersion(); messages.Offer == "" && ctx.Err() == nil && other != "" {
			return nil, &versionError{err, other}
		}
		return nil, process.withOutput(ctx, server, messages.Said(link.Output()), err)
	}
	return &session{connected, process.held}, nil
}

// report tells a host that follows starts about this one. The program and its output are nil before it runs.
func (t *Transport) report(host ports.Host, launch launch, program *process, output func() string) {
	watcher, ok := host.(ports.StartWatcher)
	if !ok {
		return
	}
	start := ports.Start{MayDownload: t.queue.turn(launch.download) != nil}
	if program != nil {
		start.Stderr, start.Output, start.Process = program.lastWords, output, program
	}
	watcher.Starting(start)
}

// withOutput replaces the error of a handshake that was not answered in time with one that
// quotes what the program wrote, to its output or its stderr, since nothing else is known.
func (p *process) withOutput(ctx context.Context, server domain.Server, output string, err error) error {
	last := p.lastWords()
	switch {
	case ctx.Err() == nil || output == "" && last == "":
		return err
	case output != "":
		return &domain.ServerUnavailableError{ID: server.ID, Reason: &domain.OutputError{Output: output, Stderr: last}, Cause: ctx.Err()}
	}
	return &domain.ServerUnavailableError{ID: server.ID, Reason: errors.New("the end of its stderr: " + last), Cause: ctx.Err()}
}
