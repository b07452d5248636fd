package demo

import _ "embed"

// ProgramVariable is the environment variable from which Configuration takes
// the path of the program that has the demo server.
const ProgramVariable = "MCP_WORKBENCH_DEMO_PROGRAM"

// Configuration is a configuration whose only server is the demo server.
//
//go:embed workbench-config.json
var Configuration string
