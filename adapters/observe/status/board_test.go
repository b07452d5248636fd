package status_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The board of a workbench", func() {
	db := domain.ServerID{Toolbox: "dev", Server: "db"}

	It("shows a bounded number of hosts and servers, and says how many are left out", func() {
		names := make([]string, 10_000)
		for i := range names {
			names[i] = fmt.Sprintf("server-%05d", i)
		}
		board := status.NewBoard("1", "", nil)
		board.Add(connection(&status.Numbers{}, names...))
		for range 299 {
			board.Add(connection(&status.Numbers{}, "db"))
		}

		s := board.Snapshot()
		Expect(s.Hosts).To(HaveLen(256))
		Expect(s.MoreHosts).To(Equal(44))
		Expect(s.Servers()).To(HaveLen(2000))
		Expect(s.MoreServers).To(Equal(10_000 - 2000 + 255))
	})

	It("cuts the name that a host reports", func() {
		long := connection(&status.Numbers{})
		long.Info = func() domain.HostInfo { return domain.HostInfo{Name: strings.Repeat("ä", 1<<16)} }
		board := status.NewBoard("1", "", nil)
		remove := board.Add(long)

		Expect(len(board.Snapshot().Hosts[0].Name)).To(BeNumerically("<", 210))
		remove()
		Expect(board.Snapshot().Hosts).To(BeEmpty())
	})

	It("measures a server at most every two seconds", spec.InBubble(func(*testing.T) {
		process := &fakeProcess{}
		board := status.NewBoard("1", "", nil)
		board.Add(connected(&fakeServers{names: []string{"db"}, process: process}, &status.Numbers{}))

		for range 10 {
			Expect(board.Snapshot().Hosts[0].Servers[0].Memory).To(HaveValue(Equal(int64(1 << 20))))
		}
		Expect(process.measured.Load()).To(Equal(int32(1)))
		time.Sleep(2 * time.Second)
		board.Snapshot()
		Expect(process.measured.Load()).To(Equal(int32(2)))
	}))

	It("does not keep a server in memory that ended after a snapshot", func() {
		board := status.NewBoard("1", "", nil)
		type process struct{ ports.ServerProcess }
		ended := func() weak.Pointer[process] {
			process := &process{&fakeProcess{}}
			remove := board.Add(connected(&fakeServers{names: []string{"db"}, process: process}, &status.Numbers{}))
			defer remove()
			Expect(board.Snapshot().Hosts[0].Servers[0].Memory).NotTo(BeNil())
			return weak.Make(process)
		}()

		runtime.GC()

		Expect(ended.Value()).To(BeNil())
		runtime.KeepAlive(board)
	})

	It("restarts a server for all hosts that have it, and ends its shared sessions once", func(ctx SpecContext) {
		var ended []domain.ServerID
		board := status.NewBoard("1", "", func(server domain.ServerID) { ended = append(ended, server) })
		with, without, broken := &fakeServers{names: []string{"db"}}, &fakeServers{names: []string{"web"}}, &fakeServers{names: []string{"db"}, failure: errBroken}
		for _, servers := range []*fakeServers{with, without, broken} {
			board.Add(connected(servers, &status.Numbers{}))
		}

		hosts, err := board.Restart(ctx, db)
		Expect(hosts).To(Equal(1))
		Expect(err).To(MatchError(errBroken))
		Expect(ended).To(Equal([]domain.ServerID{db}))
		Expect([]int32{with.restarted.Load(), without.restarted.Load(), broken.restarted.Load()}).To(Equal([]int32{1, 0, 1}))

		_, err = board.Restart(ctx, domain.ServerID{Toolbox: "dev", Server: "none"})
		Expect(err).To(MatchError(status.ErrNotRunning))
		Expect(ended).To(HaveLen(1))
	})
})
