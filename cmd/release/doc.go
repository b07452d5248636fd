// Command release creates a release in a folder: programs for every system in archives, packages for
// npm, Debian and RPM, bundles for hosts, an image, install scripts, the manifests of package
// managers and registries, a bill of materials of the programs, and the SHA-256 sums of all of them.
// The same commit, version and Go give the same bytes. It publishes nothing.
//
//	go run ./cmd/release -version v1.0.0 dist
//
// Decision: GoReleaser is not used: to write the same files its module needs several hundred newer
// modules, such as clients of clouds, and it creates neither npm platform packages nor
// bundles for hosts. nfpm writes the .deb and .rpm files, as a tool with a separate module file
// (cmd/release/tools), so that the program's go.mod does not name it.
package main
