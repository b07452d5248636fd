// Package serverconfig describes a server as files of hosts and of the workbench configure it: its
// settings, which of them mean the same server, which look like secrets, and how they are shown.
package serverconfig
