// Package background lets all hosts of a user share one workbench, which runs as a process of its own. Start
// at Bridge.Run: what a host starts is a bridge, which copies messages between the host and the background
// workbench, and gives the host another one if that ends. Listener is the other side.
//
// A bridge and its workbench speak over a Unix socket that only their user can reach: first a line of JSON each
// way (hello.go), with the environment and the folder of the host, then the messages of MCP as over standard
// input and output. The workbench gets the standard error of the bridge as a descriptor.
//
// Decision: the bridge listens at the socket and passes it to the background workbench that it starts, so that
// no time passes in which the workbench runs and cannot be reached.
//
// Decision: the name of the socket is made of the configuration, the build of the program and the
// variables that a process reads once, so that programs that differ in them never meet.
//
// Decision: the bridge reads the envelope of each message. It knows the requests under way, and what a new
// workbench has to be told: the handshake, the log level, open toolboxes and subscriptions.
package background
