package following

import (
	"mcp-workbench/adapters/config"
	"mcp-workbench/application"
)

// InUse returns the parts of a configuration that the use cases need.
func InUse(configuration *config.Configuration) application.Configuration {
	var atStart []application.Setting
	configuration.ReadAtStart(func(key, value string) { atStart = append(atStart, application.Setting{Key: key, Value: value}) })
	return application.Configuration{
		Catalog:     configuration.Catalog,
		Definitions: configuration.Definitions,
		Pinning:     configuration.Pinning,
		Packages:    configuration.Packages,
		LogPayloads: configuration.LogPayloads,
		Approvals:   configuration.Approvals,
		AtStart:     atStart,
	}
}
