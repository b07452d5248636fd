package lockreport

import (
	"encoding/json"
	"fmt"
	"io"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// result is what lock found, the form of --json. Members are added, never changed.
type result struct {
	File    string `json:"file"`
	Written bool   `json:"written"`
	// Fits says that tools and packages were as they were locked, before anything was
	// written.
	Fits  bool `json:"fits"`
	Tools int  `json:"tools"`
	// Error says why an existing lock cannot be used.
	Error       string             `json:"error,omitempty"`
	Differences []lockedDifference `json:"differences"`
	// Instructions are the servers whose instructions are not as they were locked, Older those of
	// which an older lock holds less.
	Instructions []lockedServer    `json:"instructions"`
	Older        []lockedServer    `json:"older"`
	Unreachable  []unreachedServer `json:"unreachable"`
	Opening      []openingResult   `json:"opening"`
	// Revealing are tools whose definitions hold a value that no message may show; without a
	// name, the instructions of the server do.
	Revealing []lockedTool `json:"revealing"`
	// Packages are the servers of whose packages there is something to say.
	Packages []lockedPackage `json:"packages"`
}

// lockedPackage is the package of a server, compared with the lock.
type lockedPackage struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Package string `json:"package,omitempty"`
	// Locked is the version in the lock, Pinned the one that the lock would have if it was
	// written again; "" for none.
	Locked string `json:"locked"`
	Pinned string `json:"pinned"`
	// Newest is "" when it was not asked for.
	Newest string `json:"newest"`
	// Changed counts the packages in which what was resolved differs from what is locked.
	Changed int `json:"changed"`
	// InstallScripts says that install scripts run, Scripted are packages that have some.
	InstallScripts bool     `json:"installScripts"`
	Scripted       []string `json:"scripted"`
	Error          string   `json:"error,omitempty"`
}

func lockedPackageOf(compared domain.PackageComparison) lockedPackage {
	result := lockedPackage{
		Toolbox: string(compared.ID.Toolbox), Server: string(compared.ID.Server), Newest: compared.Newest,
		Changed: len(compared.Changes), Scripted: append([]string{}, compared.Scripted...),
	}
	if compared.Locked != nil {
		result.Package, result.Locked = compared.Locked.Name, compared.Locked.Version
	}
	if compared.Live != nil {
		result.Package, result.Pinned, result.InstallScripts = compared.Live.Name, compared.Live.Version, compared.Live.InstallScripts
	}
	if compared.Failure != nil {
		result.Error = compared.Failure.Error()
	}
	return result
}

type lockedServer struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
}

func lockedServerOf(id domain.ServerID) lockedServer {
	return lockedServer{string(id.Toolbox), string(id.Server)}
}

type lockedTool struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
}

type lockedDifference struct {
	lockedTool
	// Kind is "added", "changed" or "removed".
	Kind string `json:"kind"`
}

type unreachedServer struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Error   string `json:"error"`
}

// openingResult is what it costs a model to open a toolbox.
type openingResult struct {
	Toolbox string `json:"toolbox"`
	Tools   int    `json:"tools"`
	Form    string `json:"form"`
	Bytes   int    `json:"bytes"`
	Tokens  int    `json:"tokens"`
	// Partial says that servers of it cannot be reached.
	Partial bool `json:"partial"`
}

func lockedToolOf(tool domain.ToolIdentifier) lockedTool {
	return lockedTool{string(tool.Toolbox), string(tool.Server), tool.Tool}
}

// result returns the report for programs.
func (r Outcome) forPrograms() result {
	report := result{
		File: r.Path, Written: r.Written, Fits: r.Found.Fits(), Tools: r.Found.Tools(),
		Differences: []lockedDifference{}, Unreachable: []unreachedServer{}, Opening: []openingResult{}, Revealing: []lockedTool{},
		Packages: []lockedPackage{}, Instructions: []lockedServer{}, Older: []lockedServer{},
	}
	if r.Found.Broken != nil {
		report.Error = r.Found.Broken.Error()
	}
	for _, difference := range r.Found.Differences {
		report.Differences = append(report.Differences, lockedDifference{lockedToolOf(difference.Tool), kindOf(difference)})
	}
	for _, difference := range r.Found.Instructions {
		report.Instructions = append(report.Instructions, lockedServerOf(difference.ID))
	}
	for _, id := range r.Found.Older {
		report.Older = append(report.Older, lockedServerOf(id))
	}
	for _, server := range r.Found.Unreachable {
		report.Unreachable = append(report.Unreachable, unreachedServer{
			string(server.ID.Toolbox), string(server.ID.Server), wording.UserReason(server.Failure),
		})
	}
	for _, tool := range r.Found.Revealing {
		report.Revealing = append(report.Revealing, lockedToolOf(tool))
	}
	for _, compared := range r.Found.Packages {
		report.Packages = append(report.Packages, lockedPackageOf(compared))
	}
	for _, opened := range r.Found.Opened {
		if opened.Connected() == 0 {
			continue
		}
		c := openingCost(opened, r.Settings)
		report.Opening = append(report.Opening, openingResult{
			string(c.toolbox), c.tools, string(c.form), c.bytes, definitions.EstimateTokens(c.bytes), c.partial,
		})
	}
	return report
}

// PrintJSON prints the report as one JSON object.
func (r Outcome) PrintJSON(out io.Writer) error {
	if err := json.NewEncoder(out).Encode(r.forPrograms()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
