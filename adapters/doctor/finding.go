package doctor

import (
	"slices"

	"mcp-workbench/domain"
)

// Finding is a problem that was found, and how to fix it. Its code never changes.
type Finding struct {
	Code string `json:"code"`
	// About is a server as toolbox/server, a file, a key, a variable, or "".
	About string `json:"about"`
	Found string `json:"found"`
	Fix   string `json:"fix"`
}

// IsNote reports whether the finding is only worth knowing rather than a fault.
func (f Finding) IsNote() bool {
	return f.Code == codeShortened || f.Code == codeElsewhere || f.Code == codeNewer
}

// HasFaults reports whether any finding is more than a note.
func HasFaults(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return !f.IsNote() })
}

// cause is the common problem of one or several findings, each about another subject.
type cause struct {
	Finding
	// Also are the other subjects of the same finding.
	Also []string `json:"also,omitempty"`
}

// causes returns each cause once, at the position of its first finding.
func causes(findings []Finding) []cause {
	first := map[Finding]int{}
	merged := []cause{}
	for _, finding := range findings {
		same := finding
		same.About = ""
		at, isKnown := first[same]
		switch {
		case !isKnown:
			first[same] = len(merged)
			merged = append(merged, cause{Finding: finding})
		case finding.About != merged[at].About && !slices.Contains(merged[at].Also, finding.About):
			merged[at].Also = append(merged[at].Also, finding.About)
		}
	}
	return merged
}

// The codes of findings. 'mcp-workbench help shell' lists them.
const (
	codeInvalid     = "D001"
	codeNoFile      = "D002"
	codeCommand     = "D003"
	codeVariable    = "D004"
	codeWarning     = "D005"
	codeDuplicate   = "D006"
	codeTruncated   = "D007"
	codeUnreachable = "D008"
	codeSlow        = "D009"
	codeLock        = "D010"
	codeNetwork     = "D011"
	codeWritable    = "D012"
	codeReadable    = "D013"
	codeHostEntry   = "D014"
	codeHostTwice   = "D015"
	codeHostFile    = "D016"
	codeRuntime     = "D017"
	codeOutput      = "D018"
	codeHandshake   = "D019"
	codeCut         = "D020"
	codeFilter      = "D021"
	codePackage     = "D022"
	codePattern     = "D023"
	codePath        = "D024"
	codeShortened   = "D025"
	codeElsewhere   = "D026"
	codeRegistry    = "D027"
	codeSecret      = "D028"
	codeNoRegistry  = "D029"
	codeNewer       = "D030"
	codeDeprecated  = "D031"
	codeDeleted     = "D032"
	codeSkill       = "D033"
)

// redacted returns the finding without the secrets of a server.
func (f Finding) redacted(server domain.Server) Finding {
	f.About, f.Found, f.Fix = server.Redact(f.About), server.Redact(f.Found), server.Redact(f.Fix)
	return f
}
