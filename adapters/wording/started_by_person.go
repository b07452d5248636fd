package wording

// StartedByPerson is for a person who starts the program in a terminal, as a host would.
const StartedByPerson = `mcp-workbench: this is an MCP server. It waits for a host on standard input, such as Claude or Cursor, which starts it by itself; Ctrl-C ends it. In a terminal, try:
  mcp-workbench --help   the commands
  mcp-workbench init     find your servers and connect your hosts
  mcp-workbench demo     see what a host does with it`
