package main

import (
	_ "embed" // the file of the owner
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

//go:embed owner.json
var ownerFile []byte

// owner has the names and addresses of the program's owner. No other place has them.
type owner struct {
	// Account is the lower-case name of the account at GitHub and npm with the repositories, images and packages.
	Account string `json:"account"`
	Name    string `json:"name"`
	Email   string `json:"email"`
	// Repository is the address of the sources, whose releases have the archives.
	Repository string `json:"repository"`
	// NPM is the name of the launcher's package; the programs are in @ACCOUNT/mcp-workbench-….
	NPM string `json:"npm"`
	// Summary describes the program in a line of at most 100 characters, the limit of the MCP registry.
	Summary string `json:"summary"`
}

var (
	accountForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	packageForm = regexp.MustCompile(`^(@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*$`)
)

// parseOwner returns the owner in a file, or an error that names an invalid member.
func parseOwner(text []byte) (owner, error) {
	var o owner
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&o); err != nil {
		return owner{}, fmt.Errorf("read owner.json: %w", err)
	}
	const maxSummary = 100
	for _, check := range []struct {
		member, want string
		valid        bool
	}{
		{"account", "lower-case letters, digits and single dashes", accountForm.MatchString(o.Account)},
		{"name", "a name", o.Name != "" && !strings.ContainsAny(o.Name, "<>\n\"")},
		{"email", "an address", strings.Contains(o.Email, "@") && !strings.ContainsAny(o.Email, " <>\n\"")},
		{"repository", "an https address without a slash at its end", strings.HasPrefix(o.Repository, "https://") && !strings.HasSuffix(o.Repository, "/") && !strings.ContainsAny(o.Repository, " \"'\n")},
		{"npm", "a name of an npm package", packageForm.MatchString(o.NPM)},
		{"summary", "1 to 100 characters without quotes", o.Summary != "" && len(o.Summary) <= maxSummary && !strings.ContainsAny(o.Summary, "\"'\n")},
	} {
		if !check.valid {
			return owner{}, fmt.Errorf("read owner.json: %q must be %s", check.member, check.want)
		}
	}
	return o, nil
}

// RegistryName returns the name of the program in the MCP registry.
func (o owner) RegistryName() string { return "io.github." + o.Account + "/" + program }

// Image returns the image without a tag.
func (o owner) Image() string { return "ghcr.io/" + o.Account + "/" + program }

// Publisher returns the name of the owner in winget, which starts with a capital.
func (o owner) Publisher() string { return strings.ToUpper(o.Account[:1]) + o.Account[1:] }
