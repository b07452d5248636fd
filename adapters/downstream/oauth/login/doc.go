// Package login leads a user at a terminal through a login, with a browser on this machine or on
// another one, and shows the logins on this machine. Start with Attempt. Logins that begin while
// the workbench serves hosts are in package interactive.
package login
