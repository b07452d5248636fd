package setup

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"mcp-workbench/domain"
)

// EntryName is the name of the workbench in the files of hosts.
const EntryName = "workbench"

// Address is the address of a workbench that hosts call.
type Address struct {
	URL string
	// Token is the variable with the token for the address, "" for none.
	Token string
}

// Check returns notes for the user about the address.
//
// Failures: an address that no host can call, or that would bring a secret into a host's file.
func (a Address) Check() (notes []string, err error) {
	parsed, err := url.Parse(a.URL)
	switch {
	case err != nil || !strings.HasPrefix(a.URL, "http://") && !strings.HasPrefix(a.URL, "https://"):
		return nil, fmt.Errorf("--url %q: want an address that begins with http:// or https://, such as http://127.0.0.1:7345/mcp", a.URL)
	case parsed.User != nil:
		return nil, errors.New("--url contains a login; put its secret into a variable and name that with --token-env")
	case strings.ContainsAny(a.URL, "${}") || !domain.IsResource(a.URL):
		return nil, fmt.Errorf("--url %q: want an address without variables, spaces or a fragment", a.URL)
	case a.Token != "" && !isVariableName(a.Token):
		return nil, errors.New("--token-env wants the name of a variable, not a token")
	}
	if strings.Trim(parsed.Path, "/") == "" {
		notes = append(notes, fmt.Sprintf("%s has no path, and a workbench answers at /mcp", a.URL))
	}
	if parsed.Scheme == "http" && !domain.IsLoopback(parsed.Hostname()) {
		notes = append(notes, "without https, others on the network can read the calls and the token")
	}
	return notes, nil
}

func isVariableName(text string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	return strings.Trim(text, letters+"0123456789") == "" && strings.ContainsAny(text[:1], letters)
}
