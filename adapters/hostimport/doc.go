// Package hostimport decides what becomes of the servers in the files of hosts in the
// workbench's configuration: which are taken, under which name, in which toolbox, and
// with which references in the place of secrets. Nothing is read and nothing is written
// here. Start at [Decide].
package hostimport
