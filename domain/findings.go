package domain

// Findings are what a search by words found.
type Findings struct {
	// Found are tools and toolboxes, the best first.
	Found []Finding
	// Unlisted are the toolboxes with servers whose tools are not known, in the order of the configuration.
	Unlisted []ToolboxName
}

// Finding is a tool, or a toolbox with servers whose tools are not known.
type Finding struct {
	// Server is that of the tool. Of a toolbox only the name of the toolbox is set.
	Server ServerID
	// Tool is the tool as it was listed last.
	Tool ToolInfo
	// Description is that of the toolbox, and Unlisted are those servers, for toolboxes only.
	Description string
	Unlisted    []ServerName
}

// IsToolbox reports whether a toolbox was found, and not a tool.
func (f Finding) IsToolbox() bool { return f.Server.Server == "" }
