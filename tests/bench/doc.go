// Command bench measures what the workbench costs between a host and its
// servers.
//
//	go build -o bin/mcp-workbench ./cmd/mcp-workbench
//	go run ./tests/bench -workbench bin/mcp-workbench
//	go run ./tests/bench -workbench bin/mcp-workbench -figures 'one CPU' -rounds 20
//	go run ./tests/bench -workbench bin/mcp-workbench -quick
//
// A full run takes three to five minutes, a quick one less than 20 seconds; the
// quick one shows that everything works, its figures mean little. Without
// -workbench only the other rows are measured. The exit code is 0 even if a bound
// does not hold, and 1 if anything broke. Allocations are measured by the benchmarks
// beside the code: make bench-compare.
//
// # What is compared
//
// The same calls go the same way four times:
//
//   - direct: the host starts the server itself;
//   - relay: a process stands between them that only copies bytes, which is the
//     least that anything between them can cost;
//   - workbench: the workbench stands between them, the server is in its
//     configuration, and calls are made with use_tool;
//   - direct again: see below.
//
// Host, relay and server are in this directory and use nothing but the standard
// library. They decode no JSON, and they are as thin as we could make them, since
// their own cost hides a part of what is measured. The texts that calls carry are
// like real ones: with line ends, quotes and a letter beyond ASCII now and then.
//
// # How
//
// An experiment goes in rounds. In each round every row starts in a process of its
// own, is warmed up, measured for a moment, and ended; the rows take turns in
// going first. Ratios are taken within a round, and the table shows the median
// over the rounds: what disturbs the machine for a second disturbs neighbours
// alike. Behind a ± is half of the distance between the quartiles of the rounds.
//
// Calls over HTTP differ by less than that disturbs. There all rows are up at once, and
// take eight short turns in a round; ratios are taken within a turn. What is behind the ±
// is that of one turn: the median of 64 is several times as sure.
//
// Every answer is checked for its id and for the length and the ends of its text,
// the first one for all of it. A row that fails is marked as broken and left
// out; it cannot look fast.
//
// # What the figures are
//
//   - Spawn is from before the process is started to the answer of `initialize`.
//   - Open is, for the workbench, from open_toolbox to its answer; directly, the host
//     starts all servers in parallel and asks each for its tools. Lazily the workbench
//     opens a toolbox that is locked and was opened in an earlier run.
//   - One call is the median time of a call when each follows the answer before.
//     The size is that of the argument and of the result; KB and MB are decimal.
//   - In flight is a number of 100 B calls kept under way. CPU per call is user and
//     system time of the process under test, without its children: of relay or
//     workbench, and directly of the server.
//   - Activity is a workbench that records its calls against one that does not, both up at once, in
//     turns of 0.15 s. CPU per call includes writing the record after them.
//   - Memory is resident memory, of relay and workbench: 100 ms after `initialize`;
//     after open_toolbox; the peak after calls of 100 B, one by one and 64 in
//     flight; the peak after ten or so calls of 10 MB and what is left of it 2 s
//     later (0.3 s in a quick run).
//   - Bytes are those of one line. For opening, the workbench's answer stands
//     against the tools/list answers of all servers together.
//   - Exit is from the end of input to the end of the process, with ten servers
//     open on the workbench, one otherwise.
//   - Over HTTP host, server and what is between them speak streamable HTTP, and the
//     relay is the reverse proxy of the standard library. The memory of an idle host is
//     what each of 1,000 adds, or of as many as are let in, with its stream open and no
//     toolbox.
//   - Scale is measured once a run, with one workbench for each experiment: hosts that connect and open a shared
//     server one after the other, sessions, connections, toolboxes and servers.
//   - Hosts that open a server over HTTP connect and open the toolbox, all at once; directly each
//     starts the server itself.
//
// On one CPU means that host, server and what is between them are pinned to the
// same CPU. A call that goes from process to process has two speeds otherwise,
// several times apart: waking a process on another CPU takes much longer than
// switching to it on the same one, and which it will be, the kernel decides each time.
// Go programs that are pinned run with GOMAXPROCS 1, as they do in a container
// with one CPU; the relay does not, so that it stays the floor, nor does the server,
// which would be the slower the longer the way to it is. Memory, CPU time and one CPU
// are measured on Linux only.
//
// # How to read the noise
//
// Noise is the direct row divided by itself, measured twice. It is 1 on an ideal
// machine. Where it says 1.02 ±0.03, a workbench that costs nothing could have
// been shown as 1.05, and a difference of that size between two builds means
// nothing. Where it says 1.1 ±0.4, as it does for single small calls on several
// CPUs, only large ratios mean anything: look at the same figure on one CPU, or
// raise -rounds. The direct row is the shakiest there; for a ratio to the relay,
// its own ± says more.
//
// # The bounds
//
// Required is promised by the workbench, goal is the aim of further work. They
// are bounds for the ratio to the row named under "to"; where none is named, for
// the workbench's value.
package main
