package activity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

var _ = Describe("Reading activity", func() {
	var r *recorded
	BeforeEach(func() { r = newRecorded() })
	anything := func(activity.Entry) bool { return true }
	// some records calls of tools whose names are these numbers.
	some := func(from, to int) {
		var calls []domain.Activity
		for i := from; i <= to; i++ {
			calls = append(calls, call(fmt.Sprint(i)))
		}
		r.write(calls...)
	}
	// file writes a file of the record.
	file := func(number int, text string) {
		Expect(os.MkdirAll(r.folder, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(r.folder, fmt.Sprintf("activity-%08d-2026-01-02.jsonl", number)), []byte(text), 0o600)).To(Succeed())
	}
	const line = `{"time":"2026-01-02T03:04:05Z","workbench":"1-1","kind":"call","toolbox":"dev","server":"git","tool":"%s","outcome":"ok","ms":1}` + "\n"

	It("finds nothing in a record that does not exist", func() {
		Expect(r.entries()).To(BeEmpty())
		found, position, err := r.reader().Recent(5, anything)
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(BeEmpty())
		some(1, 2)
		found, _, err = r.reader().After(position, 10)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools(found)).To(Equal([]string{"1", "2"}))
	})

	It("skips lines that are not entries", func() {
		file(1, fmt.Sprintf(line, "a")+"\n{}\n[1]\nnull\n\x00\x00\n{\"time\":1}\n"+`{"time":"2026-01-02T03:04:05Z","kind":"call"}`+"\n"+
			strings.Repeat("x", 40_000)+fmt.Sprintf(line, "b")+fmt.Sprintf(line, strings.Repeat("y", 20_000))+fmt.Sprintf(line, "c")+
			`{"time":"2026-01-02T03:04:05Z","kind":"call","outcome":"ok","ms":-5,"tool":"d","bytesIn":-1}`+"\n"+`{"time":"2026-0`)
		Expect(tools(r.entries())).To(Equal([]string{"a", "c", "d"}))
		Expect(r.entries()[2]).To(And(HaveField("Milliseconds", 0.0), HaveField("BytesIn", int64(0))))
	})

	It("finds the entries since a time, even if the clock jumped", func() {
		now := time.Now()
		for _, age := range []time.Duration{time.Hour, -24 * time.Hour, 72 * time.Hour, time.Minute} {
			a := call(age.String())
			a.Time = now.Add(-age)
			r.write(a)
		}
		var found []string
		for entry, err := range r.reader().Entries(now.Add(-2 * time.Hour)) {
			Expect(err).NotTo(HaveOccurred())
			found = append(found, entry.Tool)
		}
		Expect(found).To(Equal([]string{"1h0m0s", "-24h0m0s", "1m0s"}))
	})

	It("stops when asked to", func() {
		some(1, 9)
		for entry, err := range r.reader().Entries(time.Time{}) {
			Expect(err).NotTo(HaveOccurred())
			Expect(entry.Tool).To(Equal("1"))
			break
		}
	})

	It("finds the last entries, across several files", func() {
		file(1, fmt.Sprintf(line, "1")+fmt.Sprintf(line, "2"))
		file(2, fmt.Sprintf(line, "3"))
		file(4, fmt.Sprintf(line, "4")+fmt.Sprintf(line, "5")+fmt.Sprintf(line, "6")+`{"torn`)
		for count, wanted := range map[int][]string{0: nil, 2: {"5", "6"}, 4: {"3", "4", "5", "6"}, 5: {"2", "3", "4", "5", "6"}, 100: {"1", "2", "3", "4", "5", "6"}} {
			found, position, err := r.reader().Recent(count, anything)
			Expect(err).NotTo(HaveOccurred())
			Expect(tools(found)).To(Equal(wanted))
			Expect(position).To(Equal(activity.Position{Segment: 4, Offset: int64(3 * len(fmt.Sprintf(line, "1")))}))
		}
		found, _, err := r.reader().Recent(2, func(e activity.Entry) bool { return e.Tool < "5" })
		Expect(err).NotTo(HaveOccurred())
		Expect(tools(found)).To(Equal([]string{"3", "4"}))
	})

	It("follows new entries, in batches of a bounded size", func() {
		some(1, 3)
		_, position, err := r.reader().Recent(0, anything)
		Expect(err).NotTo(HaveOccurred())
		some(4, 8)
		file(7, fmt.Sprintf(line, "9"))
		var parts []string
		for {
			var found []activity.Entry
			found, position, err = r.reader().After(position, 2)
			Expect(err).NotTo(HaveOccurred())
			if len(found) == 0 {
				break
			}
			parts = append(parts, strings.Join(tools(found), " "))
		}
		Expect(parts).To(Equal([]string{"4 5", "6 7", "8 9"}))
	})

	It("continues after files that were removed or emptied", func() {
		file(1, fmt.Sprintf(line, "1"))
		found, _, err := r.reader().After(activity.Position{Segment: 1, Offset: 9999}, 5)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools(found)).To(Equal([]string{"1"}))
		Expect(os.Remove(r.files()[0])).To(Succeed())
		file(3, fmt.Sprintf(line, "3"))
		found, position, err := r.reader().After(activity.Position{Segment: 1, Offset: 20}, 5)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools(found)).To(Equal([]string{"3"}))
		Expect(position.Segment).To(BeEquivalentTo(3))
	})

	It("is refused if others can change the folder", func() {
		if runtime.GOOS == "windows" {
			Skip("modes do not restrict writing on Windows")
		}
		some(1, 1)
		Expect(os.Chmod(r.folder, 0o777)).To(Succeed())
		for _, err := range r.reader().Entries(time.Time{}) {
			Expect(err).To(MatchError(ContainSubstring("every user on this machine can change the folder")))
		}
		_, _, err := r.reader().Recent(1, anything)
		Expect(err).To(HaveOccurred())
		_, _, err = r.reader().After(activity.Position{}, 1)
		Expect(err).To(HaveOccurred())
	})

	DescribeTable("tells whether an entry is about", func(place string, about bool) {
		some(1, 1)
		Expect(r.entries()[0].Place()).To(Equal("dev/git/1"))
		Expect(r.entries()[0].IsAbout(place)).To(Equal(about))
	},
		Entry("everything", "", true), Entry("its toolbox", "dev", true), Entry("its server", "dev/git", true), Entry("its tool", "dev/git/1", true),
		Entry("a part of a name", "dev/gi", false), Entry("another", "prod", false), Entry("more", "dev/git/1/2", false),
	)
})
