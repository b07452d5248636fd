package config

import (
	"time"

	"mcp-workbench/adapters/config/tree"
)

// Background says whether hosts on standard input share a background workbench.
type Background struct {
	On bool
	// Linger is the time that the background workbench keeps running after its last host has
	// left.
	Linger time.Duration `key:"linger" from:"0s" to:"168h"`
}

// Record says whether activity is recorded, and how much of the record is kept (domain.RecordSettings). A smaller
// record than the smallest would be full after a few hundred calls.
type Record struct {
	Off     bool
	MaxSize int64 `key:"maxSize" unit:"bytes" from:"64KiB" to:"1024MiB"`
	Days    int   `key:"days" from:"1" to:"3650"`
}

// switchedOn reads a setting that is true, false or an object of further settings, which turns it on. Ok is false for a
// value of another kind, which is reported as a problem.
func switchedOn(f *tree.Findings, n tree.Node, wanted string) (on, ok bool) {
	switch n.Value.Value.Kind() {
	case 't', '{':
		return true, true
	case 'f':
		return false, true
	}
	f.WrongKind(n, wanted)
	return false, false
}
