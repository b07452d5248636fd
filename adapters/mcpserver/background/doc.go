// Package background lets all hosts of a user share one workbench, which runs in its own process. Begin reading at
// Bridge.Run: each host starts a bridge, which passes messages between the host and the background workbench. If
// the workbench ends, the bridge connects to another one (recovery.go). Client finds workbenches, and Listener is the
// side of the workbench.
//
// A bridge and its workbench communicate over a Unix socket that only their user can reach. First they exchange
// lines of JSON (hello.go), with the environment and the folder of the host, and then the messages of MCP, as over
// standard input and output. The workbench gets the standard error of the bridge as a descriptor.
//
// Decision: the bridge listens at the socket and passes it to the background workbench that it starts, so that
// the workbench can be reached from its start.
//
// Decision: the name of the socket is derived from the configuration, the build of the program and the variables
// that a process reads only once, so that programs that differ in these never share a workbench.
//
// Decision: the bridge reads the envelope of each message. It keeps the requests under way, and the requests that a
// new workbench must get again: the handshake, the log level, open toolboxes and subscriptions.
//
// Decision: the bridge is not a client of package httpserver. A prototype that sent each message as a POST over the
// same kind of socket took 1.9 to 2.1 times as long for a small call, and 4.4 to 5.3 times as long with 64 calls in
// flight, with 3 and 9 times the processor time of both processes (two runs on a loaded machine). It would need the
// rest of this package too: a session over HTTP ends with its workbench, so the bridge would still replay the
// conversation and detect a workbench that hangs, and would still send the environment and standard error of the host.
package background
