package sessions

import "sync/atomic"

// replacedBit is set in a usage once the connection is replaced. The bits below it count
// the uses.
const replacedBit = 1 << 62

// usage counts the uses of a connection, so that a replaced connection can end after its last
// use. The zero value is an unused connection. Safe for concurrent use.
type usage struct{ state atomic.Int64 }

// enter notes that a use begins. It reports false when the connection is replaced;
// leave must be called even then.
func (u *usage) enter() bool { return u.state.Add(1)&replacedBit == 0 }

// leave notes that a use ended, and reports whether it was the last use of a replaced
// connection.
func (u *usage) leave() (last bool) { return u.state.Add(-1) == replacedBit }

// replace lets no more uses begin, and reports whether none is under way.
func (u *usage) replace() (unused bool) { return u.state.Or(replacedBit)&^replacedBit == 0 }

// isDraining reports whether the connection is replaced and still in use.
func (u *usage) isDraining() bool {
	state := u.state.Load()
	return state&replacedBit != 0 && state != replacedBit
}
