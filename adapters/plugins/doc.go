// Package plugins reads plugins of the Agent Plugins Specification 1.0.0 (github.com/agentplugins/agent-plugins-spec) from
// their folders. Section numbers in this package are those of that specification.
//
// A manifest that breaks a rule takes the whole plugin away ([RejectedError]). Everything smaller takes only itself away and is a
// [Report]: an unknown field, mcp.json, a server, a skill. A server that is left has the keys that the configuration gives to
// servers, with its placeholders replaced; no text in it is to be expanded again.
//
// Decision: files are JSON in UTF-8 without comments, and an object that has a name twice is no object, since readers
// disagree about its value. In a server entry, such an object takes only the entry away.
//
// Decision: PLUGIN_DATA belongs to the folder of the plugin, not to the toolbox or the version. It outlives updates in
// place, other configurations that use the folder share it, and no plugin at another path gets it.
package plugins
