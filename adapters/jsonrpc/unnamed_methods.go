package jsonrpc

import "github.com/mark3labs/mcp-go/mcp"

// MethodTasksUpdate answers the input requests of a task. It is part of MCP 2026-07-28, and the
// only name of it that package mcp of mcp-go 1.2.1 lacks: take mcp's once it has it.
const MethodTasksUpdate mcp.MCPMethod = "tasks/update"

// Methods of the extension for skills (package domain/extensions), which mcp-go does not know.
const (
	MethodSkillsList    mcp.MCPMethod = "skills/list"
	MethodSkillsGet     mcp.MCPMethod = "skills/get"
	MethodDirectoryRead mcp.MCPMethod = "resources/directory/read"
)
