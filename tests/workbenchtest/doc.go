// Package workbenchtest is the language of the features: it starts the built
// program over real pipes, or over HTTP, with servers that do what a script says, speaks to it
// in raw lines or in requests of both protocol eras, and sees to it that every
// workbench that a spec starts ends in order and leaves nothing behind.
package workbenchtest

import "time"

// Patience is the longest time anything may take before it counts as never. It finds
// hangs, on slow machines too; it measures nothing.
const Patience = time.Minute
