// Command recorder stands between a host and the workbench and writes down what
// passes: recorder DIRECTORY PROGRAM ARGUMENTS. The directory gets the files
// from-host and to-host.
package main
