package config

import (
	"time"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
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

var limitKeys = keys.For[limitValues]()

// limits reads an object of limits and passes each legal one to use.
func (r *reader) limits(n tree.Node, use func(limit keys.Key, value int64)) {
	members, _ := r.Object(n, tree.SettingKeys, "an object of limits")
	for _, m := range members {
		limit, isLegal := limitKeys.Get(m.Name)
		if !isLegal {
			r.unknownKey(m, limitKeys.Names())
			continue
		}
		if value, ok := r.limit(m.Node, limit.Bounds); ok {
			use(limit, value)
		}
	}
}

// limit reads a number within bounds.
func (r *reader) limit(n tree.Node, bounds *keys.Bounds) (int64, bool) {
	text, _ := n.Scalar()
	value, ok := bounds.Value(text)
	if !ok {
		r.WrongValue(n, bounds.Wanted)
	}
	return value, ok
}
