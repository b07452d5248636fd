// Command packaging builds the archives of a release into a directory: static
// programs for every system with the licence and the README, and the SHA-256 sums of
// the archives. The version is the tag of the commit. The same commit and the same Go
// give the same bytes. It publishes no file.
//
//	go run ./cmd/mcp-workbench/packaging dist
package main
