package ui_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

var _ = Describe("Following the record", func() {
	It("reports stored entries, and then new ones", func(ctx SpecContext) {
		folder := filepath.Join(GinkgoT().TempDir(), "activity")
		in := func() (string, error) { return folder, nil }
		write := func(tools ...string) {
			written := activity.NewRecord(in, domain.RecordSettings{MaxSize: 1 << 20, Days: 90}, time.Now(), slog.New(slog.DiscardHandler))
			host := written.Host("ann", func() domain.HostInfo { return domain.HostInfo{Name: "cursor", Version: "3"} })
			for _, tool := range tools {
				host.Observe(domain.Activity{
					Kind: domain.ActivityCall, Outcome: domain.OutcomeOK, Time: time.Now(), Duration: 20 * time.Millisecond, Sent: 5, Received: 90, Shown: 90,
					Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: tool},
				})
			}
			written.Close()
		}
		write("log", "diff")
		following, stop := context.WithCancel(ctx)
		told, read, ended := make(chan []activity.Entry, 10), make(chan bool, 1000), make(chan error)
		go func() {
			record := ui.NewRecord(in, "")
			ended <- record.Follow(following, time.Now().Add(-time.Hour), func(entries []activity.Entry) { told <- entries }, func() { read <- true })
		}()

		var stored, added []activity.Entry
		Eventually(told).WithContext(ctx).Should(Receive(&stored))
		Eventually(read).WithContext(ctx).Should(Receive())
		write("push")
		Eventually(told).WithContext(ctx).Should(Receive(&added))
		stop()
		Eventually(ended).WithContext(ctx).Should(Receive(BeNil()))

		Expect(stored).To(HaveLen(2))
		Expect(added).To(HaveLen(1))
		Expect(added[0].Place()).To(Equal("dev/git/push"))
		Expect(added[0]).To(And(HaveField("Host", "cursor"), HaveField("Identity", "ann"), HaveField("Milliseconds", 20.0), HaveField("Tokens", int64(20))))
	})

	It("reports that everything was read if there is no record", func(ctx SpecContext) {
		following, stop := context.WithCancel(ctx)
		record := ui.NewRecord(func() (string, error) { return filepath.Join(GinkgoT().TempDir(), "none"), nil }, "")

		Expect(record.Follow(following, time.Time{}, func([]activity.Entry) { Fail("there is nothing") }, stop)).To(Succeed())
	})
})
