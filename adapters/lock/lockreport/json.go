package lockreport

import (
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// result is the form of --json. Members are added, never changed.
type result struct {
	File    string `json:"file"`
	Written bool   `json:"written"`
	// Fits reports whether tools and packages matched the lock, before it was written.
	Fits  bool `json:"fits"`
	Tools int  `json:"tools"`
	// Error says why an existing lock cannot be used.
	Error       string             `json:"error,omitempty"`
	Differences []lockedDifference `json:"differences"`
	// Instructions are the servers whose instructions differ from the lock.
	Instructions []lockedServer    `json:"instructions"`
	Unreachable  []unreachedServer `json:"unreachable"`
	// Revealing are tools whose definitions contain a value that no message may show. Without a
	// name, the instructions of the server do.
	Revealing []lockedTool `json:"revealing"`
	// Varying are tools whose defaults differ at each start, so that no lock with defaults fits.
	Varying  []lockedTool    `json:"varying"`
	Packages []lockedPackage `json:"packages"`
}

type lockedServer struct {
	Toolbox domain.ToolboxName `json:"toolbox"`
	Server  domain.ServerName  `json:"server"`
}

type lockedTool struct {
	lockedServer
	Tool string `json:"tool"`
}

type lockedDifference struct {
	lockedTool
	// Kind is "added", "changed" or "removed".
	Kind string `json:"kind"`
}

type unreachedServer struct {
	lockedServer
	Error string `json:"error"`
}

// lockedPackage is the package of a server, compared with the lock.
type lockedPackage struct {
	lockedServer
	Package string `json:"package,omitempty"`
	// Locked is the version in the lock, Pinned the one that the lock would have if it was written
	// again, and Newest the newest one if that was asked for; "" for none.
	Locked string `json:"locked"`
	Pinned string `json:"pinned"`
	Newest string `json:"newest"`
	// Changed counts the packages that are resolved differently from the lock.
	Changed int `json:"changed"`
	// InstallScripts reports whether install scripts run; Scripted are packages that have some.
	InstallScripts bool     `json:"installScripts"`
	Scripted       []string `json:"scripted"`
	Error          string   `json:"error,omitempty"`
}

func lockedPackageOf(compared domain.PackageComparison) lockedPackage {
	result := lockedPackage{
		lockedServer: lockedServer(compared.ID), Newest: compared.Newest, Changed: len(compared.Changes),
		Scripted: append([]string{}, compared.Scripted...),
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

func lockedToolOf(tool domain.ToolIdentifier) lockedTool {
	return lockedTool{lockedServer(tool.ServerID()), tool.Tool}
}

// listOf returns what convert makes of each item: a list in JSON even for none.
func listOf[From, To any](items []From, convert func(From) To) []To {
	list := make([]To, len(items))
	for i, item := range items {
		list[i] = convert(item)
	}
	return list
}

// forPrograms returns the report for programs.
func (r Outcome) forPrograms() result {
	found := r.Found
	report := result{
		File: r.Path, Written: r.Written, Fits: found.Fits(), Tools: found.Tools(),
		Differences: listOf(found.Differences, func(d domain.Difference) lockedDifference {
			return lockedDifference{lockedToolOf(d.Tool), kindOf(d)}
		}),
		Instructions: listOf(found.Instructions, func(d domain.InstructionsDifference) lockedServer { return lockedServer(d.ID) }),
		Unreachable: listOf(found.Unreachable, func(s domain.UnreachableServer) unreachedServer {
			return unreachedServer{lockedServer(s.ID), wording.UserReason(s.Failure)}
		}),
		Revealing: listOf(found.Revealing, lockedToolOf), Varying: listOf(found.Varying, lockedToolOf),
		Packages: listOf(found.Packages, lockedPackageOf),
	}
	if found.Broken != nil {
		report.Error = found.Broken.Error()
	}
	return report
}
