// Package config finds, reads and checks the configuration of the workbench
// (tests/acceptance/CONTRACT.md section 2) and builds a ports.Catalog from it.
//
// A configuration is read in four steps, in the order of [Load]:
//
//   - source: find the file and read its bytes (find.go, content.go, untrusted.go, include.go);
//   - tree: a node for each value, with its place in the file (package tree);
//   - settings of the root: defaults, file, environment and flags merged by koanf and unmarshalled into a [Root], whose tags
//     are the table of keys (root.go, settings.go, layers.go; package keys), then access over HTTP (http.go);
//   - toolboxes and servers, which depend on those settings (toolbox.go, server.go).
//
// A [reader] reads values of the tree in every step, by the description of their keys (fill.go) and with their variables
// replaced (expansion.go, environment.go). What a section of the file means is a function of that section's file. A reader
// collects problems and warnings in its [tree.Findings] and reports none of them itself. No problem and no warning shows an
// expanded value or a value of "env" or "headers".
//
// The file is JSON with comments and trailing commas.
//
// Decision: koanf merges the settings of the root and unmarshals them into Root: defaults, the file and flags come from its
// provider confmap, and variables from its provider env. Two of its parts cannot be used. A koanf.Parser reads a file into
// maps, which lose the order of toolboxes, places and duplicates; sources of secrets and included files are read before the
// settings too. So package tree reads the file. The provider posflag takes values as the flags parsed them, and a message
// about one must name the flag and what is legal, as it does for a variable.
//
// Decision: only what has layers is unmarshalled by koanf. Keys that only a file can have, such as "http", "confirm",
// "inheritEnv" and "headers" of "registry", and the keys of toolboxes and servers are read from the tree: their values
// contain variables, and each of them can have a problem that names its line and column.
//
// Decision: idleTimeout is a key beside limits: it decides when an unused server is stopped,
// not how much a server may use.
package config
