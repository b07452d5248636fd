package realservers_test

// The scenarios of the conformance runner about logins. Its authorization servers agree
// immediately, so the user is a program that opens the address that the host is asked to show.

// judgedLogins returns the scenarios that the workbench passes.
func judgedLogins() []judgedClient {
	var scenarios []judgedClient
	for _, name := range []string{
		"metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd",
		"scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined", "scope-step-up",
		"scope-retry-limit", "token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none",
		"pre-registration",
	} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			scenarios = append(scenarios, judgedClient{name: "auth/" + name, version: version})
		}
	}
	for _, name := range []string{
		"resource-mismatch", "offline-access-scope", "offline-access-not-supported", "authorization-server-migration",
		"iss-supported", "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer", "iss-unexpected",
		"iss-normalized", "metadata-issuer-mismatch",
	} {
		scenarios = append(scenarios, judgedClient{name: "auth/" + name, version: "2026-07-28"})
	}
	return append(scenarios,
		judgedClient{name: "auth/2025-03-26-oauth-metadata-backcompat", version: "2025-03-26"},
		judgedClient{name: "auth/client-credentials-basic", version: "2025-11-25", extension: true},
		judgedClient{name: "auth/client-credentials-jwt", version: "2025-11-25", extension: true},
		judgedClient{name: "auth/wif-jwt-bearer", version: "2025-11-25", extension: true},
	)
}

// leftOutClients are the scenarios that do not apply, with their version, and why.
var leftOutClients = []struct{ name, why string }{
	{
		name: "auth/2025-03-26-oauth-endpoint-fallback of 2025-03-26",
		why:  "addresses that no metadata name would be guessed, which makes a puzzling 404 of a missing document",
	},
	{name: "auth/enterprise-managed-authorization of extension", why: noEnterprise},
	{name: "auth/dpop of extension", why: noDPoP},
	{name: "auth/dpop-nonce of extension", why: noDPoP},
	{name: "sep-2640-client-no-prefetch of extension", why: noSkills},
	{name: "sep-2640-client-verify-digest of extension", why: noSkills},
	{name: "sep-2640-client-verify-size of extension", why: noSkills},
	{name: "sep-2640-client-verify-frontmatter of extension", why: noSkills},
}

const (
	noEnterprise = "SEP-990 needs an identity provider of a company, which hardly any server asks for yet"
	noDPoP       = "SEP-1932 binds tokens to a key, which hardly any server asks for yet"
	noSkills     = "the workbench passes skills on, and the host that loads one verifies it"
)
