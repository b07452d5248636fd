package doctor

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/ports"
)

// slowStart is the longest start without a finding. Hosts have been seen to give up after
// 30 seconds.
const slowStart = 20 * time.Second

// startLimit is the time in which a server must connect, unless it is downloaded first or has a limit of its own.
const startLimit = 30 * time.Second

// Impatient returns the catalog with servers that must connect within 30 seconds, after which hosts give
// up. Otherwise commands would wait for a program that never answers as long as a workbench does. Servers
// that are downloaded at their start, and those with "limits.connect", keep their limit.
func Impatient(catalog *config.Catalog) *config.Catalog {
	toolboxes := slices.Clone(catalog.Toolboxes())
	for i := range toolboxes {
		toolboxes[i].Servers = slices.Clone(toolboxes[i].Servers)
		for j := range toolboxes[i].Servers {
			if server := &toolboxes[i].Servers[j]; isBounded(*server) {
				server.Limits.Connect = startLimit
			}
		}
	}
	return config.NewCatalog(toolboxes)
}

// isBounded reports whether startLimit applies to a server, which still has its configured limits.
func isBounded(server domain.Server) bool {
	program := programOf(server)
	return server.Limits.Connect == domain.DefaultLimits().Connect && launcher.Read(program.Command, program.Args).Download() == ""
}

// ExamineServers starts all servers in parallel and adds their findings to a report, in the order of the
// servers. It calls started for each server that is up or has failed, from any goroutine.
func (d *Doctor) ExamineServers(
	ctx context.Context, lister ports.ToolLister, observer *Observer, started func(domain.ServerID), report *Examination,
) error {
	opened, err := d.openAll(ctx, lister, func(server domain.ServerID) {
		started(server)
		observer.started(server)
	})
	var findings []Finding
	for i, toolbox := range opened {
		for _, server := range toolbox.Servers {
			configured, _ := d.toolboxes[i].Server(server.ID.Server)
			isReported := configured.Unset != nil || server.Failure != nil && d.prevented[server.ID]
			if !isReported {
				findings = append(findings, checkServer(server, configured, observer.observation(server.ID))...)
			}
		}
		findings = append(findings, d.checkAnswer(toolbox)...)
	}
	report.Started = true
	report.Findings = slices.Concat(report.Findings, findings, d.checkPatterns(opened))
	return err
}

// openAll lists the tools of all toolboxes, in their order.
func (d *Doctor) openAll(ctx context.Context, lister ports.ToolLister, started func(domain.ServerID)) ([]domain.OpenedToolbox, error) {
	opened := make([]domain.OpenedToolbox, len(d.toolboxes))
	failures := make([]error, len(d.toolboxes))
	var listing sync.WaitGroup
	for i, toolbox := range d.toolboxes {
		listing.Go(func() {
			opened[i], failures[i] = lister.ListTools(ctx, toolbox.Name, "", func(server domain.OpenedServer) { started(server.ID) })
		})
	}
	listing.Wait()
	return opened, errors.Join(failures...)
}

// checkServer returns the findings about a server that was started.
func checkServer(server domain.OpenedServer, configured domain.Server, seen observation) []Finding {
	var findings []Finding
	place := server.ID.Path()
	add := func(code, found, fix string) { findings = append(findings, Finding{code, place, found, fix}) }
	login, needsLogin := errors.AsType[*domain.LoginRequiredError](server.Failure)
	switch {
	case errors.Is(server.Failure, context.DeadlineExceeded):
		fix := "run its command in a shell to see what it waits for, or whether it is an MCP server at all"
		if program := programOf(configured); launcher.Read(program.Command, program.Args).Download() != "" {
			fix = "run doctor again, since its package may have been downloaded only now; if that does not help, " + fix
		}
		if isBounded(configured) {
			fix += fmt.Sprintf("; a workbench waits for it for %g s, doctor does so if \"limits.connect\" is set", configured.Limits.Connect.Seconds())
		}
		add(codeHandshake, "it started, and did not shake hands: "+wording.UserReason(server.Failure), fix)
	case server.Failure != nil && isUnreachedRegistry(wording.UserReason(server.Failure)):
		add(codeRegistry, "the registry from which it is downloaded cannot be reached",
			"connect to the network, or check the proxy and 'npm config get registry'; 'mcp-workbench lock --packages' lets npm packages start without it")
	case needsLogin:
		add(codeUnreachable, login.Why+login.Wanted, domain.QuotedCommand("mcp-workbench login "+domain.ShellWord(place))+" logs in")
	case server.Failure != nil:
		add(codeUnreachable, wording.UserReason(server.Failure), domain.QuotedCommand("mcp-workbench list "+domain.ShellWord(place)+" --log-level debug")+" shows its messages")
	case seen.startTime >= slowStart:
		add(codeSlow, fmt.Sprintf("it took %.0f s to start", seen.startTime.Seconds()), howToInstall(configured))
	}
	if seen.strayLines > 0 {
		lines, isOrAre := fmt.Sprintf("%d lines", seen.strayLines), "are not MCP messages"
		if seen.strayLines == 1 {
			lines, isOrAre = "1 line", "is not an MCP message"
		}
		add(codeOutput, fmt.Sprintf("it wrote %s to its standard output that %s", lines, isOrAre),
			"let it log to stderr, or turn its banner off; the workbench ignores such lines, but a message that such a line interrupts is lost")
	}
	if slices.ContainsFunc(server.Warnings, func(warning domain.Warning) bool { return slices.Contains(lockWarnings(), warning.Kind) }) {
		add(codeLock, "its tools or instructions are not as they were locked",
			"'mcp-workbench lock --check' shows the differences, and 'lock --update' accepts them")
	} else if wrong := slices.IndexFunc(server.Warnings, func(w domain.Warning) bool { return w.Kind == domain.AdjustmentWrong }); wrong >= 0 {
		found := server.Warnings[wrong]
		add(codeFilter, fmt.Sprintf(`"tools" has a mistake: tool %s: %s`, domain.QuotedName(found.Tool), found.Detail),
			"correct it: "+domain.QuotedCommand("mcp-workbench list "+domain.ShellWord(place))+" shows the tools")
	} else if missing := missingInFilter(server, configured.Tools); len(missing) > 0 {
		add(codeFilter, fmt.Sprintf(`"toolFilters" names %s, which the server does not list`, strings.Join(missing, ", ")),
			"correct the name: "+domain.QuotedCommand("mcp-workbench list "+domain.ShellWord(place))+" shows the tools")
	}
	return findings
}

// howToInstall says how a server starts sooner.
func howToInstall(server domain.Server) string {
	program := programOf(server)
	if launcher.Read(program.Command, program.Args).Download() == "" {
		return "install the server, so that it is not downloaded or built at each start"
	}
	return "if it is slow in a second run too, once its package was downloaded: 'mcp-workbench lock --packages' keeps the package"
}

// isUnreachedRegistry reports whether the reason why a server did not start says, in the words of npm, uv
// or this program, that the registry from which it is downloaded cannot be reached.
func isUnreachedRegistry(reason string) bool {
	if strings.Contains(reason, `"inheritEnv"`) {
		return false // the reason says more
	}
	return regexp.MustCompile(`npm (error|ERR!) code (EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|FETCH_ERROR)\b` +
		`|error: .*(Failed to fetch|dns error|error sending request)|the registry (cannot be reached|does not answer)`).MatchString(reason)
}

// missingInFilter returns the entries of a filter whose tools the server does not list, as the
// filter writes them.
func missingInFilter(server domain.OpenedServer, filter domain.ToolFilter) []string {
	if server.Failure != nil {
		return nil
	}
	if filter.IsList() {
		// Tools that were named and exist are not filtered out.
		return filter.Missing(server.Tools)
	}
	var missing []string
	for _, warning := range server.Warnings {
		if warning.Kind == domain.LeftOutToolMissing {
			missing = append(missing, "!"+warning.Detail)
		}
	}
	return missing
}

// lockWarnings are the warnings about tools and instructions that differ from the lock.
func lockWarnings() []domain.WarningKind {
	return []domain.WarningKind{
		domain.ChangedSinceLocked, domain.NotLocked, domain.LockedToolGone,
		domain.ChangedToolBlocked, domain.UnknownToolBlocked, domain.UncheckedToolBlocked,
		domain.InstructionsChanged, domain.InstructionsBlocked,
	}
}

// clientNames are the names in the clientInfo of the hosts that are known to cut answers, by
// their IDs.
var clientNames = map[string]string{
	"claude-code": "claude-code", "codex": "codex-mcp-client", "gemini": "gemini-cli-mcp-client", "opencode": "opencode",
	"copilot": "copilot-cli", "qwen": "qwen-cli-mcp-client-workbench", "kimi": "kimi-code",
}

// checkAnswer finds connected hosts that cut the answer to opening a toolbox.
func (d *Doctor) checkAnswer(opened domain.OpenedToolbox) []Finding {
	var findings []Finding
	name, settings := opened.Toolbox.Name, d.configuration.Definitions
	for _, connected := range d.hosts.connected() {
		host := wording.HostNamed(clientNames[connected.ID])
		answer := wording.NewOpenAnswer(opened, wording.Showing{Form: settings.Form(name), Budget: settings.Budget, Host: host})
		if host.MaxResult == 0 || answer.Size() <= host.MaxResult {
			continue
		}
		found, fix, _ := strings.Cut(answer.TooLong(), "; ")
		findings = append(findings, Finding{codeCut, string(name), "opening it: " + found, fix})
	}
	return findings
}
