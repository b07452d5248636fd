// Package jsonrpc is the byte layer that both sides of the workbench share:
// lines in, one scan of the envelope per line, framed lines out in order. It knows
// JSON-RPC 2.0 and nothing of MCP, and it never decodes what it only carries:
// params, results and errors are spans of the line they came in.
package jsonrpc
