package domain

// HostInfo is what a host says of itself in its clientInfo. It is text of the host: nothing in it is checked.
type HostInfo struct{ Name, Version string }
