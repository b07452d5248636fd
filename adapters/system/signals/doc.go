// Package signals turns signals of the system into contexts that end, and into requests to reload
// the configuration. It lets a program undo what outlives it before a signal ends it.
package signals
