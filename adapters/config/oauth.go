package config

import (
	"slices"

	"github.com/tailscale/hujson"
)

// unboundSecret warns of a client secret without a configured issuer. For grants without a user
// that is an error. A user sees where they log in, so here it is a warning.
const unboundSecret = `has no "issuer" beside it, so it goes to the first authorization server that the server names: set ` +
	`"issuer" to the address of the one where the client was registered ('mcp-workbench login --list' shows the one in use)`

const oauthKey = "oauth"

// attendedGrants are the values of "grant" with which the user logs in.
var attendedGrants = []string{`"authorization_code"`, ""}

// warnOfUnboundSecret warns of a client secret if the server alone decides who receives it.
func (r *reader) warnOfUnboundSecret(places settingPlaces) {
	settings := places.member(places.root.Value, oauthKey)
	grant := ""
	if value := places.member(settings, "grant"); value != nil {
		literal, _ := value.Value.(hujson.Literal)
		grant = string(literal)
	}
	if places.member(settings, "clientSecret") != nil && places.member(settings, "issuer") == nil && slices.Contains(attendedGrants, grant) {
		r.Warn(places.find([]string{oauthKey, "clientSecret"}), unboundSecret)
	}
}
