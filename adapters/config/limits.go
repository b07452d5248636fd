package config

import (
	"math"
	"slices"
	"time"

	"mcp-workbench/domain"
)

// limit is one limit that can be set at the root, for a server, by an environment variable
// or by a flag.
type limit struct {
	// key is the key in the object of limits. idleTimeout is a key beside that object.
	key string
	*unit
	min, max int64
	wanted   string
	field    func(*domain.Limits) *int64
	// atStart says that the limit of the root is read only at the start of the program.
	atStart bool
}

// limits is the table of limits. A line here makes the key legal at the root and
// in servers, and gives it its environment variable and its flag.
var limits = []limit{
	{"connect", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Connect) }, false},
	{"secret", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Secret) }, false},
	{"registry", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Registry) }, false},
	{"openReply", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.OpenReply) }, false},
	{"openGrace", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.OpenGrace) }, false},
	{"call", durations, 0, forever, anyTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Call) }, false},
	{"callTotal", durations, 0, forever, anyTime, func(l *domain.Limits) *int64 { return (*int64)(&l.CallTotal) }, false},
	{"inputReply", durations, 1, forever, someTime, func(l *domain.Limits) *int64 { return (*int64)(&l.InputReply) }, true},
	{"shutdown", durations, 1, maxShutdown, shortTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Shutdown) }, false},
	{"inFlight", numbers, 1, maxRequests, someRequests, func(l *domain.Limits) *int64 { return &l.InFlight }, false},
	{"definitions", sizes, 1 << 10, 1 << 20, answerBytes, func(l *domain.Limits) *int64 { return &l.Definitions }, false},
	{"result", sizes, 1 << 10, 1 << 20, answerBytes, func(l *domain.Limits) *int64 { return &l.Result }, false},
	{"messageSize", sizes, 64 << 10, 256 << 20, someBytes, func(l *domain.Limits) *int64 { return &l.MessageSize }, true},
	{"arriving", sizes, 16 << 20, 16 << 30, budgetBytes, func(l *domain.Limits) *int64 { return &l.Arriving }, true},
	{"underWay", sizes, 16 << 20, 16 << 30, budgetBytes, func(l *domain.Limits) *int64 { return &l.UnderWay }, true},
	{"sending", sizes, 16 << 20, 16 << 30, budgetBytes, func(l *domain.Limits) *int64 { return &l.Sending }, true},
	{"keptResults", sizes, 32 << 20, 16 << 30, resultBytes, func(l *domain.Limits) *int64 { return &l.KeptResults }, true},
}

// idleTimeout is a key beside the object of limits: it decides when an unused server is
// stopped, not how much a server may use.
var idleTimeout = limit{
	idleTimeoutKey, durations, 0, forever, anyTime, func(l *domain.Limits) *int64 { return (*int64)(&l.Idle) }, false,
}

const (
	forever     = math.MaxInt64
	maxRequests = 4096
	maxShutdown = int64(10 * time.Second)

	someTime     = `a duration above 0 such as "45s", or a number of seconds`
	anyTime      = `a duration such as "45s" or a number of seconds, 0 for no limit`
	shortTime    = `a duration above 0 and up to "10s", or a number of seconds`
	someRequests = `a whole number from 1 to 4096`
	answerBytes  = `a size from "1KiB" to "1MiB", or a number of bytes`
	budgetBytes  = `a size from "16MiB" to "16384MiB", or a number of bytes`
	resultBytes  = `a size from "32MiB" to "16384MiB", or a number of bytes`
	someBytes    = `a size from "64KiB" to "256MiB", or a number of bytes`
)

// oldLimitKeys are former keys of limits, with the keys that replaced them. They are
// still accepted, with a warning.
var oldLimitKeys = map[string]string{"exchange": "inputReply"}

// oldKey returns the former key of the limit, "" if there is none.
func (l limit) oldKey() string {
	for old, key := range oldLimitKeys {
		if key == l.key {
			return old
		}
	}
	return ""
}

// value reads the text and reports whether it is legal and within the bounds.
func (l limit) value(text string) (int64, bool) {
	value, ok := l.read(text)
	return value, ok && value >= l.min && value <= l.max
}

// setting returns the key of the limit as a setting of the root.
func (l limit) setting() string {
	if l.key == idleTimeoutKey {
		return l.key
	}
	return limitsKey + "." + l.key
}

// rootLimits returns all limits of the root.
func rootLimits() []limit { return append(slices.Clone(limits), idleTimeout) }

// limitKeys returns the keys of the object of limits.
func limitKeys() []string {
	keys := make([]string, len(limits))
	for i, entry := range limits {
		keys[i] = entry.key
	}
	return keys
}

// limits reads an object of limits and passes each legal one to use.
func (r *reader) limits(n node, use func(entry limit, value int64)) {
	members, _ := r.object(n, settingKeys, "an object of limits")
	for _, m := range members {
		if key, renamed := oldLimitKeys[m.name]; renamed {
			isSet := members.has(key)
			r.warn(m.key(), renamedMessage(limitsKey+"."+key, isSet))
			if isSet {
				continue
			}
			m.name = key
		}
		i := slices.IndexFunc(limits, func(entry limit) bool { return entry.key == m.name })
		if i < 0 {
			r.unknownKey(m, limitKeys())
			continue
		}
		if value, ok := r.limit(m.node, limits[i]); ok {
			use(limits[i], value)
		}
	}
}

// limit reads one limit.
func (r *reader) limit(n node, entry limit) (int64, bool) {
	text, _ := n.scalar()
	value, ok := entry.value(text)
	if !ok {
		r.wrongValue(n, entry.wanted)
	}
	return value, ok
}

// renamedMessage returns the warning about a setting with a former name, which has no effect if
// the present name is set too.
func renamedMessage(name string, isSet bool) string {
	if isSet {
		return "has no effect: it is called " + name + " now, which is set too"
	}
	return "is called " + name + " now; the old name still works"
}
