package following

import (
	"fmt"
	"strconv"

	"mcp-workbench/adapters/config"
	"mcp-workbench/application"
)

// InUse returns the parts of a configuration that the use cases need.
func InUse(configuration *config.Configuration) application.Configuration {
	return application.Configuration{
		Catalog:     configuration.Catalog,
		Definitions: configuration.Definitions,
		Pinning:     configuration.Pinning,
		Packages:    configuration.Packages,
		LogPayloads: configuration.LogPayloads,
		Approvals:   configuration.Approvals,
		AtStart: []application.Setting{
			{Key: "logFile", Value: configuration.LogFile},
			{Key: "telemetryParent", Value: string(configuration.SpanParent)},
			{Key: "toolMode", Value: string(configuration.ToolMode)},
			{Key: "openOnUse", Value: strconv.FormatBool(configuration.OpenOnUse)},
			{Key: "findTool", Value: strconv.FormatBool(configuration.FindTool)},
			{Key: "apps", Value: strconv.FormatBool(configuration.Apps)},
			{Key: "skills", Value: strconv.FormatBool(configuration.Skills)},
			{Key: "status", Value: strconv.FormatBool(configuration.Status)},
			{Key: "activity", Value: fmt.Sprint(configuration.Activity)},
			{Key: "background", Value: strconv.FormatBool(configuration.Background.On)},
			{Key: "limits.messageSize (of the host)", Value: strconv.FormatInt(configuration.Limits.MessageSize, 10)},
			{Key: "limits.arriving, underWay or sending", Value: fmt.Sprint(configuration.Limits.Arriving, configuration.Limits.UnderWay, configuration.Limits.Sending)},
			{Key: "limits.keptResults", Value: strconv.FormatInt(configuration.Limits.KeptResults, 10)},
			{Key: "limits.inputReply", Value: configuration.Limits.InputReply.String()},
		},
	}
}
