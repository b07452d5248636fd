// Package programs finds programs in the folders of a PATH, says why the program of a server would not start as it is
// configured, and recognises this program among the commands of servers that hosts start, by its content and not only by
// its name: a workbench that imported itself would start itself without end. The package also finds the path of this program.
package programs
