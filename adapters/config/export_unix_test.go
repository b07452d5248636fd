//go:build unix

package config

// Exposure is for the specs, which cannot give files away.
var Exposure = exposure
