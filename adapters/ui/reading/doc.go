// Package reading gives the pages of package ui what they show: the record of activity, the answers of
// workbenches, and the tools and stderr of their servers.
package reading
