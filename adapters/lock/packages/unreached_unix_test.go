//go:build unix

package packages_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
)

var _ = Describe("A registry that is out of reach", func() {
	var folder string
	BeforeEach(func() { folder = GinkgoT().TempDir() })
	// failing returns a store with an npm that fails with a code, and notes how it is run.
	failing := func(code string) *packages.Store {
		GinkgoHelper()
		script := "#!/bin/sh\necho \"retries=$npm_config_fetch_retries timeout=$npm_config_fetch_timeout\" >>" + filepath.Join(folder, "runs") + "\nprintf 'npm error code " + code + "\\n' >&2\nexit 1\n"
		Expect(os.WriteFile(filepath.Join(folder, "npm"), []byte(script), 0o700)).To(Succeed())
		return packages.New(filepath.Join(folder, "state"), []string{"PATH=" + folder + ":/usr/bin:/bin"})
	}
	runs := func() []string {
		GinkgoHelper()
		text, err := os.ReadFile(filepath.Join(folder, "runs"))
		Expect(err).NotTo(HaveOccurred())
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	resolve := func(ctx context.Context, store *packages.Store, name string) error {
		npx := server("npx", "-y", name)
		request, _, err := store.Request(npx)
		Expect(err).NotTo(HaveOccurred())
		_, err = store.Resolve(ctx, npx, request)
		return err
	}

	DescribeTable("is asked once, without other tries, and nothing else waits for it", func(ctx context.Context, code string) {
		store := failing(code)

		Expect(resolve(ctx, store, "one")).To(MatchError(ContainSubstring("resolve the npm package one: the registry ")))
		Expect(resolve(ctx, store, "two")).To(MatchError(ContainSubstring("resolve the npm package two: the registry ")))

		Expect(runs()).To(ConsistOf("retries=0 timeout=20000"))
	},
		Entry(nil, "EAI_AGAIN"),
		Entry(nil, "ECONNREFUSED"),
		Entry(nil, "FETCH_ERROR"),
	)

	It("is asked again for packages of another scope, which may come from elsewhere", func(ctx context.Context) {
		store := failing("EAI_AGAIN")

		Expect(resolve(ctx, store, "one")).NotTo(Succeed())
		Expect(resolve(ctx, store, "@scope/one")).NotTo(Succeed())

		Expect(runs()).To(HaveLen(2))
	})

	It("is asked as the user configured it after a failure that may pass", func(ctx context.Context) {
		store := failing("E503")

		Expect(resolve(ctx, store, "one")).NotTo(Succeed())
		Expect(resolve(ctx, store, "two")).NotTo(Succeed())

		Expect(runs()).To(HaveExactElements(
			"retries=0 timeout=20000", "retries= timeout=", "retries=0 timeout=20000", "retries= timeout="))
	})

	It("is asked with the limits that variables set", func(ctx context.Context) {
		store := failing("EAI_AGAIN")
		npx := starting(domain.Program{Command: "npx", Args: []string{"one"}, Env: map[string]string{"npm_config_fetch_timeout": "9"}})
		request, _, err := store.Request(npx)
		Expect(err).NotTo(HaveOccurred())

		_, err = store.Resolve(ctx, npx, request)

		Expect(err).To(HaveOccurred())
		Expect(runs()).To(ConsistOf("retries=0 timeout=9"))
	})

	Context("of Python", func() {
		// failing returns a store with a uv that fails with a cause, and notes how it is run.
		failing := func(cause string, environ ...string) *packages.Store {
			GinkgoHelper()
			script := "#!/bin/sh\necho \"retries=$UV_HTTP_RETRIES timeout=$UV_HTTP_TIMEOUT\" >>" + filepath.Join(folder, "runs") +
				"\necho 'error: Failed to fetch: `https://pypi.org/simple/one/`\n  Caused by: " + cause + "' >&2\nexit 2\n"
			Expect(os.WriteFile(filepath.Join(folder, "uv"), []byte(script), 0o700)).To(Succeed())
			return packages.New(filepath.Join(folder, "state"), append(environ, "PATH="+folder+":/usr/bin:/bin"))
		}
		resolve := func(ctx context.Context, store *packages.Store, args ...string) error {
			uvx := server("uvx", args...)
			request, _, err := store.Request(uvx)
			Expect(err).NotTo(HaveOccurred())
			_, err = store.Resolve(ctx, uvx, request)
			return err
		}

		DescribeTable("is asked once, without other tries, and nothing else waits for it", func(ctx context.Context, cause string) {
			store := failing(cause)

			Expect(resolve(ctx, store, "one")).To(MatchError(HavePrefix("resolve the Python package one: the registry cannot be reached (uv says: Failed to fetch")))
			Expect(resolve(ctx, store, "two")).To(MatchError(HavePrefix("resolve the Python package two: the registry cannot be reached")))
			Expect(runs()).To(HaveExactElements("retries=0 timeout=20"))

			Expect(resolve(ctx, store, "--index-url", "https://other.example/simple", "two")).NotTo(Succeed())
			Expect(runs()).To(HaveLen(2), "another index is asked")
		},
			Entry(nil, "dns error: failed to lookup address information"),
			Entry(nil, "tcp connect error: Connection refused (os error 111)"),
			Entry(nil, "operation timed out"),
		)

		It("is asked as the user configured it after a failure that may pass", func(ctx context.Context) {
			store := failing("HTTP status server error (503 Service Unavailable)")

			Expect(resolve(ctx, store, "one")).To(MatchError(ContainSubstring("uv failed: Failed to fetch")))
			Expect(resolve(ctx, store, "two")).NotTo(Succeed())

			Expect(runs()).To(HaveExactElements("retries=0 timeout=20", "retries= timeout=", "retries=0 timeout=20", "retries= timeout="))
		})

		It("is asked with the limits that variables set", func(ctx context.Context) {
			store := failing("operation timed out", "UV_HTTP_RETRIES=9", "UV_REQUEST_TIMEOUT=8")

			Expect(resolve(ctx, store, "one")).NotTo(Succeed())

			Expect(runs()).To(HaveExactElements("retries=9 timeout="))
		})
	})
})
