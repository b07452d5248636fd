// Package setup decides what the commands that set the workbench up write: which servers of
// hosts go into which toolbox under which name, and which variables a host passes on. It reads
// and writes nothing. Start at [Configuration].
package setup
