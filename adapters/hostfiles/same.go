package hostfiles

import "slices"

// IsSame reports whether two settings mean the same server: the same program with the
// same arguments, or the same address.
func (s Settings) IsSame(other Settings) bool {
	if s.URL != "" || other.URL != "" {
		return s.URL == other.URL && s.Command == other.Command
	}
	return s.Command != "" && s.Command == other.Command && slices.Equal(s.Args, other.Args)
}

// AlsoIn returns the names of the servers in a host's file that are the same as one of
// others, but for the one of the name except.
//
// Failures: those of Read.
func AlsoIn(file File, others []Settings, except string) ([]string, error) {
	servers, err := Read(file)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, server := range servers {
		if server.Name != except && slices.ContainsFunc(others, server.Settings.IsSame) {
			names = append(names, server.Name)
		}
	}
	return names, nil
}
