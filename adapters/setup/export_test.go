package setup

// The text of the configuration is edited by functions that only this package calls.
var (
	ServersIn    = serversIn
	EmptyText    = emptyText
	AddServer    = addServer
	RemoveServer = removeServer
	MaskedText   = maskedText
)
