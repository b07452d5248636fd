// Package lockfile keeps the lock in a file beside the configuration, made to be
// committed and reviewed: one tool a line, in the order of the configuration, with
// the definition that was approved and its SHA-256. It also reads definitions, since
// what they say and what the file holds have one form.
//
// Decision: a tool is pinned by its canonical JSON after RFC 8785, except where that
// would hide a difference: an integer keeps all its digits, and an object with a
// name twice keeps its order. What is pinned is what a server lists after
// toolFilters, every member of it, since any may reach a model. The lock holds the
// definitions beside their digests, so that people can read a difference, also in the
// diff of a commit. A look at the lock costs one system call for each open_toolbox;
// nothing is computed without a lock.
package lockfile
