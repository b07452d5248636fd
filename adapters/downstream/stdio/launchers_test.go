package stdio_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/tests/spec"
)

var _ = Describe("What a command may have to download", func() {
	DescribeTable("is the package of a launcher",
		func(download, command string, args ...string) {
			Expect(stdio.Download(command, args...)).To(Equal(download))
		},
		Entry("npx", "npx @scope/server@1.2", "npx", "-y", "@scope/server@1.2", "/tmp"),
		Entry("npx by its path", "npx server", "/usr/local/bin/npx", "server"),
		Entry("npx on Windows", "npx server", `C:\Program Files\nodejs\npx.cmd`, "-y", "server"),
		Entry("npx through cmd", "npx server", "cmd", "/c", "npx", "-y", "server"),
		Entry("npx with the package as an option", "npx pkg", "npx", "-y", "-p", "pkg", "its-program"),
		Entry("npx with the package joined to the option", "npx pkg", "npx", "--package=pkg", "its-program"),
		Entry("npm exec", "npm server", "npm", "exec", "--yes", "--", "server"),
		Entry("pnpm dlx", "pnpm server", "pnpm", "dlx", "server"),
		Entry("bunx", "bunx server", "bunx", "server"),
		Entry("uvx", "uvx server", "uvx", "--python", "3.12", "server", "--flag"),
		Entry("uvx from a repository", "uvx git+https://x/y", "uvx", "--from", "git+https://x/y", "server"),
		Entry("uv tool run", "uv server", "uv", "tool", "run", "server"),
		Entry("docker run", "docker mcp/server:1", "docker", "run", "-i", "--rm", "-e", "TOKEN", "--mount=type=bind", "mcp/server:1", "/x"),
	)

	DescribeTable("is nothing for others",
		func(command string, args ...string) { Expect(stdio.Download(command, args...)).To(BeEmpty()) },
		Entry("a program", "node", "server.js"),
		Entry("npm run", "npm", "run", "server"),
		Entry("docker exec", "docker", "exec", "-i", "box", "server"),
		Entry("uv run", "uv", "run", "server.py"),
		Entry("a shell", "sh", "-c", "npx server"),
	)
})

var _ = Describe("The launch queue", func() {
	const start = 10 * time.Second

	// startAll starts servers at once, each of which takes its time, and returns when
	// each was up.
	startAll := func(downloads ...string) []time.Duration {
		queue := stdio.NewLaunchQueue()
		begun := time.Now()
		up := make([]time.Duration, len(downloads))
		done := make(chan struct{})
		for i, download := range downloads {
			go func() {
				leave, err := queue.Enter(context.Background(), download)
				Expect(err).NotTo(HaveOccurred())
				time.Sleep(start)
				leave(true)
				up[i] = time.Since(begun)
				done <- struct{}{}
			}()
		}
		for range downloads {
			<-done
		}
		return up
	}
	inBubble := func(body func()) func() {
		return func() {
			spec.Bubble(func(*testing.T) {
				body()
			})
		}
	}

	It("lets one start of a package come up before the others", inBubble(func() {
		Expect(startAll("npx a", "npx a", "npx a", "npx a")).To(ConsistOf(start, 2*start, 2*start, 2*start))
	}))

	It("does not hold up other packages", inBubble(func() {
		Expect(startAll("npx a", "npx b", "uvx a")).To(HaveEach(start))
	}))

	It("lets eight launchers download at once", inBubble(func() {
		var downloads []string
		for i := range 10 {
			downloads = append(downloads, fmt.Sprintf("npx %d", i))
		}

		up := startAll(downloads...)

		Expect(up).To(ContainElements(start, 2*start))
		count := 0
		for _, at := range up {
			if at == start {
				count++
			}
		}
		Expect(count).To(Equal(8))
	}))

	It("never queues what downloads nothing", inBubble(func() {
		Expect(startAll(make([]string, 50)...)).To(HaveEach(start))
	}))

	It("gives the turn on when a start failed, and still counts the package as cold", inBubble(func() {
		queue := stdio.NewLaunchQueue()
		leave, err := queue.Enter(context.Background(), "npx a")
		Expect(err).NotTo(HaveOccurred())
		leave(false)

		leave, err = queue.Enter(context.Background(), "npx a")
		Expect(err).NotTo(HaveOccurred())
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err = queue.Enter(short, "npx a")
		Expect(err).To(MatchError(ContainSubstring("another server that downloads the same package")))
		leave(true)
	}))
})
