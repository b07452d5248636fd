package doctor

import "mcp-workbench/domain"

// Finding is a problem that was found, and how to fix it. Its code never changes.
type Finding struct {
	Code string `json:"code"`
	// About is a server as toolbox/server, a file, a key, a variable, or "".
	About string `json:"about"`
	Found string `json:"found"`
	Fix   string `json:"fix"`
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
)

// redacted returns the finding without the secrets of a server.
func (f Finding) redacted(server domain.Server) Finding {
	f.About, f.Found, f.Fix = server.Redact(f.About), server.Redact(f.Found), server.Redact(f.Fix)
	return f
}
