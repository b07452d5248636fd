package activity_test

import (
	"fmt"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

var _ = Describe("Many lines", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })
	// observe records 100 calls of a tool, which are more than 16 KiB.
	observe := func(record *activity.Record, tool string) {
		host := record.Host("", unnamed)
		for range 100 {
			host.Observe(call(tool))
		}
		record.Flush()
	}

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

	It("name their tools, even if many tools take turns", func() {
		record := r.start(domain.DefaultRecordSettings())
		host := record.Host("", unnamed)
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
