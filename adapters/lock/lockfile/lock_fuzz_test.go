package lockfile_test

import (
	"reflect"
	"strings"
	"testing"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

// FuzzLock feeds the reader of locks with anything: a lock that it accepts is written
// and read as the same lock.
func FuzzLock(f *testing.F) {
	f.Add(string(lockfile.Format(domain.Lock{Servers: []domain.LockedServer{lockedServer("dev", "fs", "read", "wri\u200bte"), lockedServer("dev", "db")}})))
	f.Add(`{"lockVersion":1,"toolboxes":{"b":{"s":{"a":{"sha256":"","definition":"\ud800"}}}},"instructions":{"b":{"s":""}},"packages":{}}`)
	two := lockedServer("dev", "fs", "read")
	two.Tools[0].Pins = append(two.Tools[0].Pins, pin("read", `{"name":"read","description":"other"}`))
	whole := lockedServer("dev", "fs", "read")
	whole.Instructions = []string{"Read.\u2028", ""}
	f.Add(string(lockfile.Format(domain.Lock{Servers: []domain.LockedServer{whole, lockedServer("dev", "db")}})))
	optional := lockedServer("dev", "db", "query")
	optional.Tools[0].Optional = true
	f.Add(string(lockfile.Format(domain.Lock{Servers: []domain.LockedServer{two, optional}})))
	f.Add(string(lockfile.Format(domain.Lock{Packages: []domain.PinnedPackage{
		pinnedFor("dev", "fs", npmPin("@a/b", "@a/b@1", "1.0.0", strings.Repeat("0", 64))),
	}})))
	f.Add(`{"lockVersion":1,"toolboxes":{"dev":{"` + "\x80" + `":{}}}}`)
	f.Add("{\n<<<<<<< HEAD\n")
	f.Fuzz(func(t *testing.T, text string) {
		lock, err := lockfile.Parse([]byte(text))
		if err != nil {
			return
		}
		again, err := lockfile.Parse(lockfile.Format(*lock))
		if err != nil || !reflect.DeepEqual(lock, again) {
			t.Fatalf("%q is read as %+v, and once written as %+v, %v", text, lock, again, err)
		}
	})
}
