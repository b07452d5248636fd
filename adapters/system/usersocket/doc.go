// Package usersocket lets the programs of one user communicate over Unix sockets: it finds and checks the
// folders of sockets, which only the user may enter, and checks the user at the other end of a connection.
package usersocket
