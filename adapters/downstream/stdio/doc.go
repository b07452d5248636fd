// Package stdio reaches servers that are programs of this machine and speak over
// their standard streams. It owns the process of a server: its environment, its
// process group and its pipes, and it ends the process with all its descendants.
// It never starts a shell.
package stdio
