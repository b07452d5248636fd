package demo

import _ "embed"

// ProgramVariable is the environment variable with the path of the program that contains the
// demo server, for Configuration.
const ProgramVariable = "MCP_WORKBENCH_DEMO_PROGRAM"

// Configuration is a configuration whose only server is the demo server.
//
//go:embed workbench-config.json
var Configuration string
