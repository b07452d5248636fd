package domain

import "encoding/json"

// ResourceKind is what a list of resources holds.
type ResourceKind int

// The kinds.
const (
	Resources ResourceKind = iota
	ResourceTemplates
)

// Resource is a resource or a template as its server lists it.
type Resource struct {
	Server ServerID
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}
