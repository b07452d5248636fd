// Package usersocket finds and checks what programs of one user need to talk to each other over Unix sockets:
// the folders of sockets, which only the user may enter, and the user at the other end of a connection.
package usersocket
