package config

// Names of keys that this package reads by name.
const (
	activityKey    = "activity"
	commandKey     = "command"
	disabledKey    = "disabled"
	envFileKey     = "envFile"
	headersKey     = "headers"
	httpKey        = "http"
	idleTimeoutKey = "idleTimeout"
	includeKey     = "include"
	inheritEnvKey  = "inheritEnv"
	limitsKey      = "limits"
	logPayloadsKey = "logPayloads"
	mcpServersKey  = "mcpServers"
	packagesKey    = "packages"
	pinningKey     = "pinning"
	readToolKey    = "readTool"
	registryKey    = "registry"
	secretsKey     = "secrets"
	startKey       = "start"
	statusKey      = "status"
	toolboxesKey   = "toolboxes"
	urlKey         = "url"
	validateKey    = "validate"
)

const wantedRoot = `an object with "toolboxes"`
