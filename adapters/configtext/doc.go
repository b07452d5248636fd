// Package configtext edits the text of the workbench's configuration: a server is put
// into a toolbox or taken out of one, and comments, order and layout of the rest stay.
// It judges nothing: who writes a text has it checked first.
package configtext
