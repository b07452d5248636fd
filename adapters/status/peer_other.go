//go:build !linux && !darwin && !freebsd

package status

import "net"

// checkPeer returns nil: this system does not tell who is at the other end, and the folder of the sockets
// keeps others out.
func checkPeer(*net.UnixConn) error { return nil }
