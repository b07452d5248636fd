// Command tokens writes the tools of published servers (tests/catalogs) in each form of
// a toolbox, one JSON object a line. tests/npm/tokens.mjs counts them with a
// tokenizer. `make tokens` runs both.
package main
