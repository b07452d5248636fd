package wording

// StartedInTerminal is for a user who starts the program in a terminal, as a host would.
const StartedInTerminal = `mcp-workbench: this is an MCP server. It waits for a host on standard input. Hosts such as Claude and Cursor start it themselves; Ctrl-C ends it. In a terminal, try:
  mcp-workbench --help   the commands
  mcp-workbench init     find your servers and connect your hosts
  mcp-workbench demo     see what a host does with it`
