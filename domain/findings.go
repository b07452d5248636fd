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
	// Server is the server of the tool. For a toolbox only its Toolbox is set.
	Server ServerID
	// Tool is the tool as it was listed last.
	Tool ToolInfo
	// Description is the description of the toolbox, and Unlisted are the servers whose tools are not
	// known; both are for toolboxes only.
	Description string
	Unlisted    []ServerName
}

// IsToolbox reports whether a toolbox was found rather than a tool.
func (f Finding) IsToolbox() bool { return f.Server.Server == "" }
