// Package contract is the contract kit: specs that every ports.Transport and every
// ports.Catalog passes. Each spec checks one promise of a port's comment, in its words.
// Specs of what is special about one kind of transport (processes, status codes) are
// beside that transport.
//
// # Adding a transport
//
// Write the transport (CONTRIBUTING.md, "Adding a transport"), then a harness and
// these lines in a spec file beside it:
//
//	var _ = contract.DescribeTransport("http", func() contract.Harness { return newHarness() })
//
// and, if servers of the kind can speak 2026-07-28, the same with
// contract.DescribeModernTransport.
//
// The harness creates servers that the transport can reach. They play a script.Script: a
// script.Server reads and writes the messages of one connection, one per line. For a kind
// that carries messages in another form, the harness converts them. NewWebHarness does so
// for servers behind a URL: they start script.Serve for each session, write the body of
// each POST to it, and send each line of its output in the response to a request, or in
// the stream if no request waits. The session ends with the script's input.
//
// Scripts of the kit use no steps about processes (Exit, Kill, CloseOutput, StopReading,
// Hang, Spawn, Environ, Argv, Cwd, IgnoreTerm), so they can be played in the process of the
// test. Package example below this one does that over TCP: it is the harness to copy.
//
// If a kind cannot keep a promise, the port's comment is wrong: change that, not the
// harness.
package contract
