// Package workbenchtest is the language of the features. It starts the built
// program over real pipes, or over HTTP, with servers that play scripts, speaks to it
// in raw lines or in requests of both protocol eras, and checks that every
// workbench that a spec starts ends in order and leaves nothing behind.
package workbenchtest

import "time"

// Patience is the longest time that a spec waits for any event. It detects
// hangs, even on slow machines; it measures nothing.
const Patience = time.Minute
