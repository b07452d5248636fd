// Package reading supplies the data for the pages of package ui: the record of activity, the answers of
// workbenches, and the tools and stderr of their servers.
package reading
