package endpoint

import "mcp-workbench/adapters/mcpserver/httpserver/tokens"

// Granted returns the tokens that are accepted.
func (e *Endpoint) Granted() []tokens.Token { return e.granted }
