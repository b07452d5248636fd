package config

import (
	"time"

	"mcp-workbench/adapters/config/keys"
)

// limitValues are the limits, with the names of fields of domain.Limits. Each is legal at the root and in servers, and has an
// environment variable.
type limitValues struct {
	Connect     time.Duration `key:"connect" from:"1ns"`
	Secret      time.Duration `key:"secret" from:"1ns"`
	Registry    time.Duration `key:"registry" from:"1ns"`
	OpenReply   time.Duration `key:"openReply" from:"1ns"`
	OpenGrace   time.Duration `key:"openGrace" from:"1ns"`
	Call        time.Duration `key:"call" from:"0s"`
	CallTotal   time.Duration `key:"callTotal" from:"0s"`
	InputReply  time.Duration `key:"inputReply" from:"1ns" is:"start"`
	Shutdown    time.Duration `key:"shutdown" from:"1ns" to:"10s"`
	InFlight    int64         `key:"inFlight" from:"1" to:"4096"`
	Definitions int64         `key:"definitions" unit:"bytes" from:"1KiB" to:"1MiB"`
	Result      int64         `key:"result" unit:"bytes" from:"1KiB" to:"1MiB"`
	MessageSize int64         `key:"messageSize" unit:"bytes" from:"64KiB" to:"256MiB" is:"start"`
	Arriving    int64         `key:"arriving" unit:"bytes" from:"16MiB" to:"16384MiB" is:"start"`
	UnderWay    int64         `key:"underWay" unit:"bytes" from:"16MiB" to:"16384MiB" is:"start"`
	Sending     int64         `key:"sending" unit:"bytes" from:"16MiB" to:"16384MiB" is:"start"`
	KeptResults int64         `key:"keptResults" unit:"bytes" from:"32MiB" to:"16384MiB" is:"start"`
}

// limitsObject is an object of limits.
type limitsObject struct{}

// Keys implements keys.Objects.
func (limitsObject) Keys() keys.Set { return keys.For[limitValues]() }

func (limitsObject) schema(schemaWriter, keyPlace) schema { return schema{"$ref": "#/$defs/limits"} }

const wantedLimits = "an object of limits"

var limitKeys = keys.For[limitValues]()
