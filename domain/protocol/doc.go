// Package protocol contains the names and rules of MCP that both sides of the workbench share:
// versions, headers, keys of _meta, error codes and the filter of a subscription. The names
// of methods are in package domain.
//
// Decision: the names are those of mcp-go (github.com/mark3labs/mcp-go/mcp), and the specs
// compare the values with its values, but the program does not link it: importing the package
// links jsonschema-go, cast and html/template, whose initialization takes 5 % of a start, and
// which keep 0.6 MB of text in each process.
package protocol
