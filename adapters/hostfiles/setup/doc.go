// Package setup carries out the commands that set the workbench up: it reads the files of hosts
// and the configuration, shows what application/setup plans, asks, and writes.
//
// A command is a function, such as [Add], in a file of its own. It has an [Editor], which shows changes and asks the user about
// them. Commands that change only the configuration describe the change as an edit (edit.go); the others have a type of
// their own, such as importing.
//
// own_text.go edits the text of the configuration; comments, order and layout of the rest stay.
package setup
