// Package local serves the pages of package ui to one user on this machine, on a loopback address. A browser is
// admitted by a token that is accepted once, and afterwards by a cookie.
//
// Decision: the token is in the address, since a browser can only be started with an address. Other programs of
// the user, and on some systems other users, can read the address in the list of processes. So the token is
// accepted once and for a short time. If the user finds that it was already used, another program used it.
package local
