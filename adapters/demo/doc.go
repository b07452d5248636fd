// Package demo is a small MCP server with working tools, to show the workbench on a machine
// without other servers, and a host that uses it: Play starts this program as a workbench with the demo's configuration,
// opens a toolbox, uses its tools and prints what happens.
//
// Decision: it does not use the server of mcp-go, which links a library for JSON Schema that compiles its schemas when
// the program starts (github.com/santhosh-tekuri/jsonschema, 4 ms), also for serve.
package demo
