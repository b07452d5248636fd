package hostfiles

import (
	"slices"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// Double is a server of a host's file that is like one of the configuration, but differs from it in some keys.
type Double struct {
	Name    string
	Differs []string
}

// Doubles returns the names of the servers in a host's file that are the same as one of the configuration, and those
// that are only like one, except the one of the given name. References in the configuration count as the values that the comparison looks up. A server that is disabled only in the configuration differs, and so do one that has fewer tools in the host
// and one of Goose that gets variables which are not set here, since Goose keeps their values. The directory of a project does not
// distinguish servers: a host starts the workbench in it too.
//
// Failures: those of Read.
func Doubles(file File, configured []setup.Settings, except string, compare setup.Comparison) (same []string, alike []Double, err error) {
	servers, err := Read(file)
	for _, server := range servers {
		switch differs, isLike := nearest(file, server.Settings, configured, compare); {
		case !isLike || server.Name == except:
		case len(differs) == 0:
			same = append(same, server.Name)
		default:
			alike = append(alike, Double{Name: server.Name, Differs: differs})
		}
	}
	return same, alike, err
}

// nearest returns in which keys a server differs from the nearest one that is like it, and whether there
// is one.
func nearest(file File, settings setup.Settings, configured []setup.Settings, compare setup.Comparison) (differs []string, isLike bool) {
	if settings.Command == "" && settings.URL == "" {
		return nil, false
	}
	isUnset := func(name string) bool {
		_, isSet := compare.Lookup(name)
		return !isSet
	}
	if file.form == gooseForm && slices.ContainsFunc(settings.InheritEnv, isUnset) {
		settings.Untranslated = with(settings.Untranslated, "env_keys")
	}
	directory, isSame := file.project, false
	for _, other := range configured {
		here := settings
		if directory != "" && here.Cwd == directory && other.Cwd == "" {
			here.Cwd = ""
		}
		keys := compare.Differences(other, here)
		if weaker := weakerKeys(other, here); len(weaker) > 0 {
			if len(keys) == 0 {
				return weaker, true // although another one may be the same
			}
			keys = append(keys, weaker...)
		}
		if other.Disabled && !here.Disabled {
			keys = append(keys, "disabled")
		}
		if len(keys) == 0 {
			isSame = true
		}
		if compare.IsLike(other, here) && (!isLike || len(keys) < len(differs)) {
			differs, isLike = keys, true
		}
	}
	if isSame {
		return nil, true
	}
	return differs, isLike
}

// weakerKeys returns the protections of a server that are weaker than here.
func weakerKeys(other, here setup.Settings) (keys []string) {
	if !other.Disabled && filterOf(other).IsWeakerThan(filterOf(here)) {
		keys = append(keys, "toolFilters")
	}
	if !other.Disabled && here.AsksMoreThan(other) {
		keys = append(keys, "confirm")
	}
	return keys
}

// filterOf returns which tools of a server exist.
func filterOf(settings setup.Settings) domain.ToolFilter {
	if settings.ToolFilters == nil {
		return domain.ToolFilter{}
	}
	return domain.OnlyTools(settings.ToolFilters)
}
