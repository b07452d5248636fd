// Package setup carries out the commands that set the workbench up: it reads the files of hosts
// and the configuration, shows what application/setup plans, asks, and writes. Start at
// [Editor], whose methods are the commands.
//
// own_text.go edits the text of the configuration; comments, order and layout of the rest stay.
package setup
