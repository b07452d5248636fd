// Package config finds, reads and checks the configuration of the workbench
// (tests/acceptance/CONTRACT.md section 2) and builds a ports.Catalog from it.
//
// A configuration is read in four steps, in the order of [Load]:
//
//   - source: find the file and read its bytes (find.go, file.go, untrusted.go);
//   - tree: a node for each value, with its place in the file (package tree);
//   - settings of the root: defaults, file, environment and flags merged into a [Root], whose tags
//     are the table of keys (root.go, settings.go, layers.go, limits.go; package keys), then access over HTTP (http.go);
//   - toolboxes and servers, which depend on those settings (toolbox.go, server.go).
//
// A [reader] reads values of the tree in every step. It collects problems and warnings in its
// [tree.Findings] and reports none of them itself. No problem and no warning shows an expanded value
// or a value of "env" or "headers".
//
// The file is JSON with comments and trailing commas.
//
// Decision: koanf merges the settings of the root: defaults, the file and flags come from its provider confmap, and
// variables from its provider env. Two of its parts cannot be used. A koanf.Parser reads a file into maps, which lose
// the order of toolboxes, places and duplicates; sources of secrets and included files are read before the settings
// too. So package tree reads the file. The provider posflag takes values as the flags parsed them, and a message
// about one must name the flag and what is legal, as it does for a variable.
//
// Decision: idleTimeout is a key beside limits: it decides when an unused server is stopped,
// not how much a server may use.
package config
