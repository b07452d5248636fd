package domain

// Findings are what a search by words found.
type Findings struct {
	// Found are tools and toolboxes, the best first.
	Found []Finding
	// Absent are the words of the search that no tool and no server has, in their order.
	Absent []AbsentWord
	// More are further tools that match on the server that most of the found ones belong to.
	More MoreTools
	// NotSearched are the servers whose tools are not known, in the order of the configuration, those of
	// disabled toolboxes last.
	NotSearched []UnsearchedServer
	// Cut says that only the beginning of the search was read.
	Cut bool
}

// Finding is a tool, or a toolbox with servers whose tools are not known.
type Finding struct {
	// Server is the server of the tool. For a toolbox only its Toolbox is set.
	Server ServerID
	// Tool is the tool as it was listed last.
	Tool ToolInfo
	// Deprecated says that its definition calls it deprecated.
	Deprecated bool
	// Description is the description of the toolbox, for toolboxes only.
	Description string
}

// IsToolbox reports whether a toolbox was found rather than a tool.
func (f Finding) IsToolbox() bool { return f.Server.Server == "" }

// AbsentWord is a word that no tool has. Near are the words that were looked for in its place.
type AbsentWord struct {
	Word string
	Near []string
}

// MoreTools are tools of a server that are not shown. Count is 0 for none.
type MoreTools struct {
	Server ServerID
	Count  int
}

// UnsearchedReason says why a server was not searched.
type UnsearchedReason string

// The reasons.
const (
	// UnsearchedUnlisted: its tools were never listed.
	UnsearchedUnlisted UnsearchedReason = "unlisted"
	// UnsearchedFailed: its tools were never listed, and it could not be started last.
	UnsearchedFailed UnsearchedReason = "failed"
	// UnsearchedDisabled: the configuration disables it.
	UnsearchedDisabled UnsearchedReason = "disabled"
)

// UnsearchedServer is a server whose tools are not known.
type UnsearchedServer struct {
	Server ServerID
	Why    UnsearchedReason
}
