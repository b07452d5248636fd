// Package signals turns signals of the system into cancelled contexts and requests to reload the
// configuration. It also lets a program restore the terminal before a signal ends it.
package signals
