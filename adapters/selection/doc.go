// Package selection runs jq programs and regular expressions over results of tools. Models write
// the programs and servers write the data, so they run in a process of their own, which is another
// instance of this program. Selector is the workbench's side, Run the other side. The process has no
// environment, reads no file, and ends when its time is up or its memory exceeds its bound. If it does
// not end, the workbench kills it.
//
// Decision: there is a second process, since Go can neither bound the memory of a goroutine nor stop
// one. It takes some milliseconds, and only if a model asks for a part of a result.
package selection
