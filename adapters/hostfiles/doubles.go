package hostfiles

import (
	"slices"

	"mcp-workbench/domain/serverconfig"
)

// Double is a server of a host's file that is like one of the configuration.
type Double struct {
	Name string
	// Differs are the keys in which the two differ; none for the same server.
	Differs []string
}

// Doubles returns the servers in a host's file that are the same as one of the configuration, or like one,
// except the one of the given name. References in the configuration count as the values that lookup
// returns. A server that is disabled only in the configuration differs, and so does one of Goose that gets
// variables which are not set here, since Goose keeps their values. The directory of a project does not
// distinguish servers: a host starts the workbench in it too.
//
// Failures: those of Read.
func Doubles(file File, configured []serverconfig.Settings, except string, lookup serverconfig.Lookup) ([]Double, error) {
	servers, err := Read(file)
	var doubles []Double
	for _, server := range servers {
		if differs, isLike := nearest(file, server.Settings, configured, lookup); isLike && server.Name != except {
			doubles = append(doubles, Double{Name: server.Name, Differs: differs})
		}
	}
	return doubles, err
}

// nearest returns in which keys a server differs from the nearest one that is like it, and whether there
// is one.
func nearest(file File, settings serverconfig.Settings, configured []serverconfig.Settings, lookup serverconfig.Lookup) (differs []string, isLike bool) {
	if settings.Command == "" && settings.URL == "" {
		return nil, false
	}
	isUnset := func(name string) bool {
		_, isSet := lookup(name)
		return !isSet
	}
	if file.form == gooseForm && slices.ContainsFunc(settings.InheritEnv, isUnset) {
		settings.Untranslated = with(settings.Untranslated, "env_keys")
	}
	directory := file.project
	for _, other := range configured {
		here := settings
		if directory != "" && here.Cwd == directory && other.Cwd == "" {
			here.Cwd = ""
		}
		keys := other.Differences(here, lookup)
		if other.Disabled && !here.Disabled {
			keys = append(keys, "disabled")
		}
		if len(keys) == 0 {
			return nil, true
		}
		if other.IsLike(here) && (!isLike || len(keys) < len(differs)) {
			differs, isLike = keys, true
		}
	}
	return differs, isLike
}

// Same returns the names of the doubles that are the same server.
func Same(doubles []Double) []string {
	var names []string
	for _, double := range doubles {
		if len(double.Differs) == 0 {
			names = append(names, double.Name)
		}
	}
	return names
}

// Alike returns the doubles that are only like a server.
func Alike(doubles []Double) []Double {
	return slices.DeleteFunc(slices.Clone(doubles), func(d Double) bool { return len(d.Differs) == 0 })
}
