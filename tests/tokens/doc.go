// Command tokens writes the tools of published servers (tests/catalogs) as a toolbox
// shows them in each form, a JSON object a line, for tests/npm/tokens.mjs to count
// them with a tokenizer. `make tokens` runs both.
package main
