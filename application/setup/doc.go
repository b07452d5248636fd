// Package setup decides what the setup commands write: which servers of hosts go into which
// toolbox under which name, and which variables a host passes on. It reads and writes no
// files. Start at [Configuration].
package setup
