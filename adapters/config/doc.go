// Package config finds, reads and checks the configuration of the workbench
// (tests/acceptance/CONTRACT.md section 2) and makes the ports.Catalog of it.
//
// The file is JSON with comments and trailing commas. Toolboxes and servers come
// from its syntax tree, which keeps order, positions and duplicates; the few
// settings of the root come from four layers: defaults, file, environment, flags.
//
// Every problem is gathered before any is reported. No problem and no warning
// shows an expanded value or a value of "env" or "headers".
//
// Decision: koanf merges the four layers and nothing else. It reads files into maps,
// which lose the order of toolboxes, positions and duplicates, so hujson reads the
// file.
//
// Decision: idleTimeout stands beside limits: it says what becomes of a server, not
// what it may take.
package config
