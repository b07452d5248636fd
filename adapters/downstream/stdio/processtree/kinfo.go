package processtree

import "encoding/binary"

// The offsets of fields in a struct kinfo_proc of 64-bit macOS (bsd/sys/sysctl.h and
// bsd/sys/proc.h of xnu), in bytes. On macOS the compiler compares them with those of
// golang.org/x/sys/unix.
const (
	kinfoSize          = 648
	kinfoSecondsOffset = 0   // kp_proc.p_starttime.tv_sec, 8 bytes
	kinfoMicrosOffset  = 8   // kp_proc.p_starttime.tv_usec, 4 bytes
	kinfoStatOffset    = 36  // kp_proc.p_stat, 1 byte
	kinfoPIDOffset     = 40  // kp_proc.p_pid, 4 bytes
	kinfoParentOffset  = 560 // kp_eproc.e_ppid, 4 bytes
	kinfoGroupOffset   = 564 // kp_eproc.e_pgid, 4 bytes
)

// zombie is SZOMB of bsd/sys/proc.h.
const zombie = 5

// parseKinfo returns the process of a struct kinfo_proc. It has no session: that
// struct only holds its address.
func parseKinfo(raw *[kinfoSize]byte) Process {
	number := func(offset int) int { return int(int32(binary.LittleEndian.Uint32(raw[offset:]))) }
	seconds := binary.LittleEndian.Uint64(raw[kinfoSecondsOffset:])
	micros := binary.LittleEndian.Uint32(raw[kinfoMicrosOffset:])
	return Process{
		PID: number(kinfoPIDOffset), Parent: number(kinfoParentOffset), Group: number(kinfoGroupOffset),
		Started: seconds*1_000_000 + uint64(micros), Dead: raw[kinfoStatOffset] == zombie,
	}
}
