package config

import (
	"slices"

	"github.com/tailscale/hujson"
)

// unboundSecret warns of a client's secret without a configured issuer. It is not an error, as it
// is for grants without a user, who would see where they log in.
const unboundSecret = `has no "issuer" beside it, so the first authorization server that the server names gets it: write ` +
	`"issuer" with the address of the one where the client was registered ('mcp-workbench login --list' shows the one in use)`

// attendedGrants are the values of "grant" with which the user logs in.
var attendedGrants = []string{`"authorization_code"`, ""}

// warnOfUnboundSecret warns of a client's secret if the server alone would say who gets it.
func (r *reader) warnOfUnboundSecret(places settingPlaces) {
	settings := places.member(places.root.value, oauthKey)
	grant := ""
	if value := places.member(settings, "grant"); value != nil {
		literal, _ := value.Value.(hujson.Literal)
		grant = string(literal)
	}
	if places.member(settings, "clientSecret") != nil && places.member(settings, "issuer") == nil && slices.Contains(attendedGrants, grant) {
		r.warn(places.find([]string{oauthKey, "clientSecret"}), unboundSecret)
	}
}
