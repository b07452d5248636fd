package mcpserver

import (
	"slices"
	"strings"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// findTool answers find_tool. The first search reads what is known about tools, so the search runs beside other
// requests.
func (c *calls) findTool(r *request, p params, reply replyFunc) {
	query, problem := readQuery(p.arguments)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	go func() {
		defer c.recoverFrom(r, reply)
		found := c.finder.FindTools(query)
		if c.rendersPages() {
			found.Found = slices.DeleteFunc(found.Found, func(f domain.Finding) bool { return !extensions.ReadInterface(f.Tool.Definition).ForModel })
		}
		reply(ports.Answer{Result: wording.TextResult(wording.Findings(found, c.program.listing().selects))})
	}()
}

// readQuery reads the arguments of find_tool. problem is "" if they are valid.
func readQuery(arguments object) (query, problem string) {
	const member = "query"
	read, problem := readArguments(arguments, member)
	if problem != "" {
		return "", problem
	}
	query, wrong := readOptionalText(read.value(member), member)
	var problems []string
	switch {
	case wrong != "":
		problems = append(problems, wrong)
	case rawjson.IsNull(read.value(member).raw):
		problems = append(problems, member+" is missing")
	}
	if problems = append(problems, read.problems()...); problems != nil {
		return "", invalidParameters + strings.Join(problems, "; ")
	}
	return query, ""
}
