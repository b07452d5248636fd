package oauth

import (
	"slices"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// insufficientScope is the error code of a server that wants more scopes (RFC 6750
// section 3.1).
const insufficientScope = "insufficient_scope"

const (
	// maxStepUps is the number of logins that may be made for the same scopes within stepUpTime. More
	// would not help at a server that still wants them.
	maxStepUps = 2
	stepUpTime = time.Hour
)

// recentStepUps returns the attempts that still count.
func recentStepUps(record logins.Record) []logins.StepUp {
	return slices.DeleteFunc(slices.Clone(record.StepUps), func(s logins.StepUp) bool {
		return time.Since(s.Time) > stepUpTime
	})
}

// isTriedOut reports whether too many logins were made for the scopes, by any process.
func isTriedOut(record logins.Record, scopes []string) bool {
	count := 0
	for _, attempt := range recentStepUps(record) {
		if slices.Equal(slices.Sorted(slices.Values(attempt.Scopes)), slices.Sorted(slices.Values(scopes))) {
			count++
		}
	}
	return count >= maxStepUps
}
