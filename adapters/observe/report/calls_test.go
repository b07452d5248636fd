package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/report"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

var _ = Describe("The list of calls", func() {
	line := func(age time.Duration, tool string) string {
		return fmt.Sprintf(`{"time":%q,"workbench":"1-1","kind":"call","toolbox":"dev","server":"git","tool":%q,"outcome":"ok","ms":1}`+"\n",
			time.Now().Add(-age).UTC().Format(time.RFC3339), tool)
	}

	It("has each call once, also those that are made while it is read", func() {
		folder := GinkgoT().TempDir()
		Expect(os.Chmod(folder, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, "activity-00000001-2026-01-02.jsonl"), []byte(line(2*time.Hour, "old")+line(time.Minute, "log")), 0o600)).To(Succeed())
		ctx, stop := context.WithCancel(context.Background())
		reads := 0
		reader := activity.NewReader(func() (string, error) {
			if reads++; reads > 4 {
				stop()
				return folder, nil
			}
			file, err := os.OpenFile(filepath.Join(folder, "activity-00000001-2026-01-02.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			Expect(err).NotTo(HaveOccurred())
			defer func() { _ = file.Close() }() // the write is checked
			_, err = file.WriteString(line(0, fmt.Sprint("call", reads)))
			return folder, err
		})
		out, err := os.Create(filepath.Join(GinkgoT().TempDir(), "out"))
		Expect(err).NotTo(HaveOccurred())
		defer func() { _ = out.Close() }() // it is only read by name
		console := terminal.NewConsole(os.Stdin, out, out)

		Expect(report.Calls{Since: time.Hour, Follow: true}.Print(ctx, reader, console.Out, console.Err, terminal.NewPaint(console.Out, "never"))).To(Succeed())

		printed, err := os.ReadFile(out.Name())
		Expect(err).NotTo(HaveOccurred())
		var tools []string
		for row := range strings.Lines(string(printed)) {
			tools = append(tools, strings.Split(row, "\t")[3])
		}
		Expect(tools).To(HaveExactElements("dev/git/log", "dev/git/call1", "dev/git/call2", "dev/git/call3", "dev/git/call4"))
	})

	DescribeTable("has names of tools whole, on lines of their own where there is no room", func(columns int, end string) {
		entry := activity.Entry{Kind: domain.ActivityCall, Toolbox: "files", Server: "filesystem", Tool: "list_directory_with_sizes", Outcome: domain.OutcomeOK, Host: "claude-code"}

		Expect(report.CallRow(entry, columns)).To(HaveSuffix(" 0" + end))
	},
		Entry("40 columns", 40, "\n  files/filesystem/list_directory_with_sizes"),
		Entry("90 columns", 90, "  files/filesystem/list_directory_with_sizes"),
		Entry("100 columns", 100, "\n  files/filesystem/list_directory_with_sizes  claude-code"),
		Entry("110 columns", 110, "  files/filesystem/list_directory_with_sizes       claude-code"),
	)
})
