package domain

// HostInfo is a host's description of itself in its clientInfo. Nothing in it is checked.
type HostInfo struct{ Name, Version string }
