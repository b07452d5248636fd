// Package ownprogram recognises this program among the commands of servers that hosts start, by what
// runs and not by its name: a workbench that imported itself would start itself without end.
// It also finds the path of this program.
package ownprogram
