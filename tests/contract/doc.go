// Package contract is the kit: specs that every ports.Transport and every
// ports.Catalog passes. Each spec is one promise from a port's comment, in its
// words; what is peculiar to one kind of transport (processes, status codes) is
// not in here, but beside that transport.
//
// # Adding a transport
//
// Write the transport (CONTRIBUTING.md, "Adding a transport"), then a harness and
// these lines in a spec file beside it:
//
//	var _ = contract.DescribeTransport("http", func() contract.Harness { return newHarness() })
//
// and, if servers of the kind may speak 2026-07-28, the same with
// contract.DescribeModernTransport.
//
// The harness makes servers that the transport can reach. They play a
// script.Script: what a script.Server reads and writes are the messages of one
// connection, one in a line. A kind that carries them in another way has a harness
// that hands the lines on: NewWebHarness is that for servers behind a URL. Its servers
// start script.Serve for each session, write to it the body of each POST, and send each
// line that comes out in the response to a request, or in the stream when none waits.
// The end of a session is the end of the script's input.
//
// Scripts of the kit use no step that is about the process (Exit, Kill,
// CloseOutput, StopReading, Hang, Spawn, Environ, Argv, Cwd, IgnoreTerm), so they
// may be played inside of the test's own process. Package example below this one
// does that over TCP: it is the harness to copy.
//
// A kind that cannot keep a promise has found a mistake in the port's comment:
// change that, not the kit's harness.
package contract
