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

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Recording activity", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })

	It("writes a line of JSON for each call, in a file for the user only", func() {
		record := r.start(domain.DefaultRecordSettings())
		host := record.Host(`token "ci"`, func() domain.HostInfo { return domain.HostInfo{Name: "claude-code", Version: "2.1"} })

		host.Observe(call("log"))
		record.Close()

		Expect(r.text()).To(Equal(fmt.Sprintf(`{"time":"2026-11-23T10:17:27.123Z","workbench":"%d-1774260000",`, os.Getpid()) +
			`"host":"claude-code","hostVersion":"2.1","identity":"token \"ci\"","kind":"call","toolbox":"dev","server":"git","tool":"log",` +
			`"outcome":"ok","ms":12.3,"bytesIn":20,"bytesOut":450,"tokens":10}` + "\n"))
		Expect(r.files()).To(HaveExactElements(HaveSuffix(name(1, time.Now()))))
		if runtime.GOOS != "windows" {
			info, err := os.Stat(r.files()[0])
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
			info, err = os.Stat(r.folder)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o700)))
		}
		Expect(r.log.String()).To(BeEmpty())
	})

	It("writes nothing, and makes no folder, before the first entry", func() {
		r.start(domain.DefaultRecordSettings()).Close()
		Expect(r.folder).NotTo(BeADirectory())
	})

	It("writes pending lines after a moment, and drops entries after Close", spec.InBubble(func(*testing.T) {
		record := r.start(domain.DefaultRecordSettings())
		host := record.Host("", unnamed)
		host.Observe(call("a"))
		host.Observe(call("b"))
		Expect(r.folder).NotTo(BeADirectory())
		time.Sleep(time.Second)
		Expect(tools(r.entries())).To(Equal([]string{"a", "b"}))

		host.Observe(call("c"))
		time.Sleep(time.Second)
		record.Close()
		host.Observe(call("d"))
		time.Sleep(time.Second)

		Expect(tools(r.entries())).To(Equal([]string{"a", "b", "c"}))
	}))

	It("has the name that a host reported in the meantime", func() {
		record := r.start(domain.DefaultRecordSettings())
		name := ""
		host := record.Host("", func() domain.HostInfo { return domain.HostInfo{Name: name} })
		host.Observe(call("before"))
		name = "zed"
		host.Observe(call("after"))
		record.Close()
		Expect(r.entries()).To(HaveExactElements(HaveField("Host", ""), HaveField("Host", "zed")))
	})

	It("escapes the characters of a name, and cuts long names", func() {
		odd := call("a\n\"b\\\x1b[31m<script>\u202e\xff")
		odd.Unknown, odd.Outcome, odd.Code, odd.Duration = true, domain.OutcomeRefused, -32602, -time.Hour
		long := call(strings.Repeat("é", 5_000_000))
		r.write(odd, long)

		Expect(strings.Count(r.text(), "\n")).To(Equal(2))
		Expect(len(r.text())).To(BeNumerically("<", 1000))
		Expect(r.text()).To(MatchRegexp(`^[^\x00-\x09\x0b-\x1f]*$`))
		entries := r.entries()
		Expect(entries[0]).To(And(
			HaveField("Tool", "a\n\"b\\\x1b[31m<script>\u202e\ufffd"), HaveField("Unknown", true), HaveField("Outcome", domain.OutcomeRefused),
			HaveField("Code", -32602), HaveField("Milliseconds", 0.0),
		))
		Expect(entries[1].Tool).To(And(HavePrefix("éé"), HaveSuffix("é…"), HaveLen(255)))
	})

	It("keeps the lines of many processes whole", func() {
		const processes, calls = 20, 500
		var writers sync.WaitGroup
		for range processes {
			writers.Go(func() {
				defer GinkgoRecover()
				record := r.startPatient(domain.DefaultRecordSettings())
				host := record.Host("", unnamed)
				for i := range calls {
					host.Observe(call(fmt.Sprint(i)))
				}
				record.Close()
			})
		}
		writers.Wait()

		Expect(r.entries()).To(HaveLen(processes * calls))
		Expect(strings.Count(r.text(), "\n")).To(Equal(processes * calls))
	})

	It("stays below its maximum size with many processes, and removes the oldest lines first", func() {
		settings := domain.RecordSettings{MaxSize: 64 << 10, Days: 30}
		var writers sync.WaitGroup
		for range 8 {
			writers.Go(func() {
				defer GinkgoRecover()
				for i := range 20 {
					record := r.startPatient(settings)
					host := record.Host("", unnamed)
					for range 25 {
						host.Observe(call(fmt.Sprint(i)))
					}
					record.Close()
					Expect(r.size()).To(BeNumerically("<=", 64<<10))
				}
			})
		}
		writers.Wait()

		Expect(r.size()).To(BeNumerically(">", 48<<10))
		Expect(r.entries()[len(r.entries())-1].Tool).To(Equal("19"))
		Expect(r.files()[0]).NotTo(ContainSubstring("00000001"))
		Expect(r.log.String()).To(BeEmpty())
	})

	It("bounds the lines in memory, and logs that entries were lost", func() {
		record := r.start(domain.RecordSettings{MaxSize: 64 << 10, Days: 30})
		host := record.Host("", unnamed)
		release := r.lock()
		for i := range 10_000 {
			host.Observe(call(fmt.Sprint(i)))
		}
		release()
		record.Close()

		Expect(len(r.entries())).To(BeNumerically("<", 500))
		Expect(strings.Count(r.log.String(), "\n")).To(Equal(1))
		Expect(r.log.String()).To(ContainSubstring("activity is not recorded; calls are not affected"))
	})

	It("removes files older than its days, and begins a file after an eighth of them", func() {
		r.write(call("old"))
		then := time.Now().Add(-91 * 24 * time.Hour)
		Expect(os.Chtimes(r.files()[0], then, then)).To(Succeed())
		r.write(call("first"))
		Expect(tools(r.entries())).To(Equal([]string{"first"}))

		aged := filepath.Join(r.folder, name(2, time.Now().Add(-13*24*time.Hour)))
		Expect(os.Rename(r.files()[0], aged)).To(Succeed())
		r.write(call("second"))
		Expect(tools(r.entries())).To(Equal([]string{"first", "second"}))
		Expect(r.files()).To(HaveLen(2))
	})

	It("continues after a torn line, whose end is lost", func() {
		r.write(call("a"), call("b"))
		Expect(os.Truncate(r.files()[0], int64(len(r.text())-20))).To(Succeed())
		r.write(call("c"))
		Expect(tools(r.entries())).To(Equal([]string{"a", "c"}))
	})

	It("leaves other files alone", func() {
		r.write(call("a"))
		for _, name := range []string{"activity-00000009-2026-13-01.jsonl", "activity-0-2026-01-01.jsonl", "activity-00000000000000000009-2026-01-01.jsonl", "notes"} {
			Expect(os.WriteFile(filepath.Join(r.folder, name), []byte("{}\n"), 0o600)).To(Succeed())
		}
		Expect(os.Mkdir(filepath.Join(r.folder, "activity-00000007-2026-01-01.jsonl"), 0o700)).To(Succeed())
		r.write(call("b"))
		Expect(tools(r.entries())).To(Equal([]string{"a", "b"}))
	})
})
