// Package local serves the pages of package ui to one user on this machine, on a loopback address. A browser is
// admitted by a token that is accepted once, and afterwards by a cookie.
//
// Decision: the token is in the address, since a browser can only be started with an address. Other users can read
// the command lines of programs, so the browser gets the name of a file that only the user can read, which leads to
// the address (package browser). Other programs of the user can read that too, so the token is accepted once and for
// a short time. If the user finds that it was already used, another program used it.
package local
