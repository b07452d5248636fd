// Package application holds the use cases, a file each: start reading at
// [ToolUser.UseTool]. What they share of a host (which toolboxes are open, which
// server has a resource or made a task) are values of their own, made once for each
// host. When servers are connected to and stopped is decided in
// application/sessions, which tools the lock lets through in application/pinning.
// The package knows ports and the domain, and neither processes nor protocols.
package application
