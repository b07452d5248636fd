package activity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/activity"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Many lines", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })
	// observe records 100 calls of a tool, which are more than 16 KiB.
	observe := func(record *activity.Record, tool string) {
		host := record.Host("")
		for range 100 {
			host.Observe(call(tool))
		}
		record.Flush()
	}

	It("of several processes stay below the size of the record, even if each process begins files", func() {
		settings := domain.RecordSettings{MaxSize: 1 << 20, Days: 30}
		var writers sync.WaitGroup
		for range 8 {
			writers.Go(func() {
				defer GinkgoRecover()
				record := r.start(settings)
				defer record.Close()
				for i := range 30 {
					observe(record, fmt.Sprint(i))
					Expect(r.size()).To(BeNumerically("<=", 1<<20))
				}
			})
		}
		writers.Wait()

		Expect(r.size()).To(BeNumerically(">", 768<<10))
		for line := range strings.Lines(r.log.String()) { // eight writers without a pause may starve one
			Expect(line).To(ContainSubstring("another program has held the lock on it for too long"))
		}
		for _, entry := range r.entries() {
			Expect(entry.Server).To(Equal("git"))
		}
	})

	DescribeTable("continue in a new file if the user removed", func(path func() string) {
		record := r.start(domain.DefaultRecordSettings())
		defer record.Close()
		observe(record, "before")
		if err := os.RemoveAll(path()); err != nil {
			Skip("this system does not remove open files: " + err.Error())
		}
		observe(record, "after")

		Expect(tools(r.entries())).To(And(HaveLen(100), HaveEach("after")))
		Expect(r.log.String()).To(BeEmpty())
	},
		Entry("the newest file", func() string { return r.files()[0] }),
		Entry("the folder", func() string { return r.folder }),
	)

	It("keep no file open when no more lines follow", func() {
		if runtime.GOOS == "windows" {
			Skip("no file stays open on Windows")
		}
		spec.Bubble(func(*testing.T) {
			record := r.start(domain.DefaultRecordSettings())
			defer record.Close()
			observe(record, "last")
			Expect(record.HoldsFile()).To(BeTrue())
			time.Sleep(time.Second)
			Expect(record.HoldsFile()).To(BeFalse())
		})
	})

	It("are appended to the file that another process has begun", func() {
		record := r.start(domain.DefaultRecordSettings())
		defer record.Close()
		observe(record, "first")
		old := r.files()[0]
		next := filepath.Join(r.folder, "activity-00000002"+filepath.Base(old)[len("activity-00000001"):])
		Expect(os.WriteFile(next, nil, 0o600)).To(Succeed())
		observe(record, "second")

		text, err := os.ReadFile(next)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(ContainSubstring(`"tool":"second"`))
		Expect(tools(r.entries())).To(HaveLen(200))
	})

	It("follow a line that another process has torn", func() {
		record := r.start(domain.DefaultRecordSettings())
		defer record.Close()
		observe(record, "first")
		file, err := os.OpenFile(r.files()[0], os.O_WRONLY|os.O_APPEND, 0)
		Expect(err).NotTo(HaveOccurred())
		_, err = file.WriteString(`{"time":`)
		Expect(err).NotTo(HaveOccurred())
		Expect(file.Close()).To(Succeed())
		observe(record, "second")

		Expect(tools(r.entries())).To(HaveLen(200))
	})

	It("name their tools, even if many tools take turns", func() {
		record := r.start(domain.DefaultRecordSettings())
		host := record.Host("")
		var wanted []string
		for range 2 {
			for i := range 300 {
				tool := fmt.Sprintf("t\"%d", i)
				host.Observe(call(tool))
				wanted = append(wanted, tool)
				if i%100 == 99 {
					record.Flush()
				}
			}
		}
		record.Close()

		Expect(tools(r.entries())).To(Equal(wanted))
	})
})
