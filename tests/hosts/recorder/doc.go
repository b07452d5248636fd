// Command recorder runs between a host and the workbench and records the
// messages: recorder DIRECTORY PROGRAM ARGUMENTS. The directory gets the files
// from-host and to-host.
package main
