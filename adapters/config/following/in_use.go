package following

import (
	"fmt"
	"strconv"

	"mcp-workbench/adapters/config"
	"mcp-workbench/application"
)

// InUse returns the parts of a configuration that the use cases need.
func InUse(configuration *config.Configuration) application.Configuration {
	var atStart []application.Setting
	configuration.ReadAtStart(func(key, value string) { atStart = append(atStart, application.Setting{Key: key, Value: value}) })
	limits := configuration.Limits
	return application.Configuration{
		Catalog:     configuration.Catalog,
		Definitions: configuration.Definitions,
		Pinning:     configuration.Pinning,
		Packages:    configuration.Packages,
		LogPayloads: configuration.LogPayloads,
		Approvals:   configuration.Approvals,
		AtStart: append(
			atStart,
			application.Setting{Key: "limits.messageSize (of the host)", Value: strconv.FormatInt(limits.MessageSize, 10)},
			application.Setting{Key: "limits.arriving, underWay or sending", Value: fmt.Sprint(limits.Arriving, limits.UnderWay, limits.Sending)},
			application.Setting{Key: "limits.keptResults", Value: strconv.FormatInt(limits.KeptResults, 10)},
			application.Setting{Key: "limits.inputReply", Value: limits.InputReply.String()},
		),
	}
}
