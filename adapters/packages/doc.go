// Package packages knows the packages that launchers start, npx and uvx: which one a
// command names, and by which words. Start at [Parse].
package packages
