package activity_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"mcp-workbench/adapters/activity"
	"mcp-workbench/domain"
)

// BenchmarkObserve measures recording one of very many calls, including its share of the writes.
func BenchmarkObserve(b *testing.B) {
	folder := b.TempDir()
	record := activity.NewRecord(func() (string, error) { return folder, nil }, domain.DefaultRecordSettings(), time.Now(), slog.New(slog.DiscardHandler))
	host := record.Host("")
	host.Identify(func() domain.HostInfo { return domain.HostInfo{Name: "claude-code", Version: "2.1.0"} })
	a := call("log")
	b.ReportAllocs()
	for b.Loop() {
		a.Time = a.Time.Add(time.Millisecond)
		host.Observe(a)
	}
	record.Close()
}

// BenchmarkReading measures reading 100,000 entries.
func BenchmarkReading(b *testing.B) {
	folder := b.TempDir()
	find := func() (string, error) { return folder, nil }
	settings := domain.RecordSettings{MaxSize: 100 << 20, Days: 30}
	for range 400 {
		record := activity.NewRecord(find, settings, time.Now(), slog.New(slog.DiscardHandler))
		host := record.Host("")
		for range 250 {
			host.Observe(call("log"))
		}
		record.Close()
	}
	for b.Loop() {
		count := 0
		for _, err := range activity.NewReader(find).Entries(time.Time{}) {
			if err != nil {
				b.Fatal(err)
			}
			count++
		}
		if count != 100_000 {
			b.Fatal(count)
		}
	}
}

// BenchmarkWriting measures writing the lines of 300 calls.
func BenchmarkWriting(b *testing.B) {
	folder := b.TempDir()
	record := activity.NewRecord(func() (string, error) { return folder, nil }, domain.DefaultRecordSettings(), time.Now(), slog.New(slog.DiscardHandler))
	lines := bytes.Repeat([]byte(strings.Repeat("x", 219)+"\n"), 300)
	b.ReportAllocs()
	for b.Loop() {
		if err := record.WriteLines(lines); err != nil {
			b.Fatal(err)
		}
	}
}
