package definitions

import (
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Description describes a tool to its callers at a terminal. Its texts are clean, and may have
// several lines.
type Description struct {
	// Signature is the signature of the compact form, without prose.
	Signature string
	// Text is the description of the tool, Title its title; "" for none.
	Title, Text string
	Parameters  []Parameter
	// InputSchema is the schema of the arguments.
	InputSchema rawjson.Value
}

// TakesOthers reports whether the schema explicitly allows arguments other than the parameters, or
// describes no parameters.
func (d Description) TakesOthers() bool {
	return len(d.Parameters) == 0 || allowsAnything(d.InputSchema) || d.InputSchema.Member("patternProperties").Exists()
}

// Parameter is a parameter of a tool.
type Parameter struct {
	// Name is the exact name.
	Name string
	// Text is the parameter as in a signature: name, type and default.
	Text string
	// Description is "" for none.
	Description string
	Required    bool
	Schema      rawjson.Value
}

// Describe returns the description of a tool. It is complete, so it may be long.
func Describe(tool domain.ToolInfo) Description {
	read := readDefinition(tool)
	described := Description{
		Signature:   read.sign().write(false, false),
		Title:       line(clean(read.definition.Member("title").Text())),
		Text:        strings.TrimSpace(clean(read.definition.Member("description").Text())),
		InputSchema: read.definition.Member("inputSchema"),
	}
	r := renderer{root: described.InputSchema}
	parameters, _ := r.arguments(described.InputSchema, 0)
	for _, p := range parameters.list {
		described.Parameters = append(described.Parameters, Parameter{
			Name: p.name, Text: r.parameter(p, 1), Required: p.required, Schema: p.schema,
			Description: strings.TrimSpace(clean(p.schema.Member("description").Text())),
		})
	}
	return described
}
