// Command bench measures what the workbench costs between a host and its
// servers.
//
//	go build -o bin/mcp-workbench ./cmd/mcp-workbench
//	go run ./tests/measurements/bench -workbench bin/mcp-workbench
//	taskset -c 1 go run ./tests/measurements/bench -workbench bin/mcp-workbench -figures 'one call' -rounds 20
//	go run ./tests/measurements/bench -workbench bin/mcp-workbench -quick
//
// A full run takes three to five minutes, a quick one less than 20 seconds. A quick
// run shows that everything works, but its figures mean little. Without
// -workbench only the other rows are measured. The exit code is 0 even if a bound
// is exceeded, and 1 if anything broke. Allocations are measured by the benchmarks
// beside the code: make bench-compare.
//
// # What is compared
//
// The same calls go the same way four times:
//
//   - direct: the host starts the server itself;
//   - relay: a process between them only copies bytes, which is the minimal cost
//     of any process between them;
//   - workbench: the workbench is between them, the server is in its
//     configuration, and calls are made with use_tool;
//   - direct again: see below.
//
// Host, relay and server are in this directory and use only the standard
// library. They decode no JSON and are as thin as possible, since their own
// cost hides a part of the measured cost. The texts in calls are
// realistic: with some line ends, quotes and letters beyond ASCII.
//
// # How
//
// An experiment has rounds. In each round every row starts in its own process,
// is warmed up, measured for a moment, and ended; the rows take turns in
// going first. Ratios are computed within a round, and the table shows the median
// over the rounds: a disturbance of a second affects neighbouring measurements
// alike. The number after ± is half of the distance between the quartiles of the rounds.
//
// Of every answer the id, and the length and the ends of the text are checked, and of
// the first answer the whole text. A row that fails is marked as broken and left
// out, so it cannot look fast.
//
// # The figures
//
//   - Spawn is the time from before the start of the process to the answer of `initialize`.
//   - Open is, for the workbench, the time from open_toolbox to its answer; directly, the host
//     starts all servers in parallel and asks each for its tools. Lazily the workbench
//     opens a toolbox that is locked and was opened in an earlier run.
//   - One call is the median time of a call when each follows the previous answer.
//     The size is that of the argument and of the result; KB and MB are decimal.
//   - In flight is a constant number of 100 B calls under way. CPU per call is the user and
//     system time of the process under test, without its children: of relay or
//     workbench, and directly of the server.
//   - Memory is resident memory, of relay and workbench: 100 ms after `initialize`;
//     the peak after calls of 100 B, 64 in flight; the peak after about ten calls of 10 MB and the memory 2 s
//     later (0.3 s in a quick run).
//   - The memory of an idle host over HTTP is the additional memory for each of 1,000, with its stream open
//     and no toolbox.
//   - Scale is measured once in each run, with one workbench for each experiment: hosts that connect and open a
//     shared server one after the other, sessions, connections, toolboxes and servers.
//   - Hosts that open a server over HTTP connect and open the toolbox simultaneously; directly each
//     starts the server itself.
//
// On several CPUs a call between processes has two speeds, which differ several times: waking a
// process on another CPU takes much longer than switching to it on the same one, and
// the kernel decides between them each time. taskset keeps all processes on one; the required bounds of calls are
// for that. Go programs run with GOMAXPROCS 1 then, as in a container
// with one CPU, except the relay, so that it stays the minimum, and the server,
// which would be slower the longer the way to it is. Memory and CPU time are measured on Linux only.
//
// # How to read the noise
//
// Noise is the ratio of two measurements of the direct row. It is 1 on an ideal
// machine. If it is 1.02 ±0.03, a workbench without any cost could have
// been shown as 1.05, and a difference of that size between two builds means
// nothing. If it is 1.1 ±0.4, as for single small calls on several
// CPUs, only large ratios are significant: measure on one CPU, or raise -rounds. The direct row varies most there;
// for a ratio to the relay, its own ± says more.
//
// # The bounds
//
// Required is a promise of the workbench: a bound for the ratio to the row named under "to", or, if none is named, for
// the workbench's value.
package main
