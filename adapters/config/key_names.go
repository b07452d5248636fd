package config

// Names of keys that this package reads by name.
const (
	activityKey    = "activity"
	disabledKey    = "disabled"
	envFileKey     = "envFile"
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
	validateKey    = "validate"
)

const wantedRoot = `an object with "toolboxes"`
