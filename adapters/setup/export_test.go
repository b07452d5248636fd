package setup

// The text of the configuration is edited by functions that only this package calls.
var (
	ToolboxesIn  = toolboxesIn
	EmptyText    = emptyText
	AddServer    = addServer
	RemoveServer = removeServer
	MaskedText   = maskedText
)
