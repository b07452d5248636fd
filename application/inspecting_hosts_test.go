package application_test

import (
	"encoding/json"

	"mcp-workbench/application"
)

// capableHost is a fake host that declares all capabilities.
type capableHost struct{ fakeHost }

func (*capableHost) Capabilities() json.RawMessage { return json.RawMessage("{full}") }

var inspectingHosts = application.InspectingHosts{Full: &capableHost{}, Bare: &fakeHost{}}
