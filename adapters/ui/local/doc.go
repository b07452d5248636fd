// Package local serves the pages of package ui to one user on this machine: on a loopback address, to the
// browser that has a token which is accepted once, and then a cookie.
//
// Decision: the token is in the address, since a browser is opened with nothing else. Other programs of the
// user could read it, and on some systems other users too, in the list of processes. So it counts once and
// for a short time; if the page says that it was used, another program used it.
package local
