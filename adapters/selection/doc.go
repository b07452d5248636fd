// Package selection runs jq programs and regular expressions over results of tools. Models write
// them, over data of servers, so they run in a process of their own: this program again. Selector is
// the workbench's side, Run the other side. That process has no environment, reads no file, and ends
// itself when its time is up or its memory grows beyond its bound; the workbench kills it if it does
// not.
//
// Decision: a second process, since Go can neither bound the memory of a goroutine nor stop one. It
// costs some milliseconds, and only where a result is asked for in part.
package selection
