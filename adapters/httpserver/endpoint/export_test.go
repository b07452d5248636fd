package endpoint

import "mcp-workbench/adapters/httpserver/tokens"

// Granted returns the tokens that are accepted.
func (e *Endpoint) Granted() []tokens.Token { return e.granted }
