//go:build unix

package packages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A registry that is out of reach", func() {
	var folder string
	BeforeEach(func() { folder = GinkgoT().TempDir() })
	// failures are what a program prints about a cause, and retries and timeouts the variables that limit it.
	failures := map[string]string{"npm": "npm error code %s", "uv": "error: Failed to fetch: 'https://pypi.org/simple/one/'\\n  Caused by: %s"}
	retries := map[string]string{"npm": "npm_config_fetch_retries", "uv": "UV_HTTP_RETRIES"}
	timeouts := map[string]string{"npm": "npm_config_fetch_timeout", "uv": "UV_HTTP_TIMEOUT"}
	// failing returns a store with a program that fails with a cause, and notes how it is run.
	failing := func(program, cause string, environ ...string) *packages.Store {
		GinkgoHelper()
		script := fmt.Sprintf("#!/bin/sh\necho \"retries=$%s timeout=$%s\" >>%s\nprintf \"%s\\n\" >&2\nexit 1\n",
			retries[program], timeouts[program], filepath.Join(folder, "runs"), fmt.Sprintf(failures[program], cause))
		Expect(os.WriteFile(filepath.Join(folder, program), []byte(script), 0o700)).To(Succeed())
		return packages.New(filepath.Join(folder, "state"), append(environ, "PATH="+folder+":/usr/bin:/bin"))
	}
	runs := func() []string {
		GinkgoHelper()
		return strings.Split(strings.TrimSpace(string(spec.Must(os.ReadFile(filepath.Join(folder, "runs"))))), "\n")
	}
	resolve := func(ctx context.Context, store *packages.Store, program string, args ...string) error {
		started := server(map[string]string{"npm": "npx", "uv": "uvx"}[program], args...)
		request, _, err := store.Request(started)
		Expect(err).NotTo(HaveOccurred())
		_, err = store.Resolve(ctx, started, request)
		return err
	}

	DescribeTable("is asked once, without other tries, and nothing but packages of other registries waits again",
		func(ctx context.Context, program, cause, failure, run string, other ...string) {
			store := failing(program, cause)

			Expect(resolve(ctx, store, program, "one")).To(MatchError(HavePrefix(fmt.Sprintf(failure, "one"))))
			Expect(resolve(ctx, store, program, "two")).To(MatchError(HavePrefix(fmt.Sprintf(failure, "two"))))
			Expect(runs()).To(HaveExactElements(run))

			Expect(resolve(ctx, store, program, other...)).NotTo(Succeed())
			Expect(runs()).To(HaveLen(2))
		},
		Entry(nil, "npm", "EAI_AGAIN", npmUnreached, "retries=0 timeout=20000", "@scope/one"),
		Entry(nil, "npm", "ECONNREFUSED", npmUnreached, "retries=0 timeout=20000", "@scope/one"),
		Entry(nil, "npm", "FETCH_ERROR", npmUnreached, "retries=0 timeout=20000", "@scope/one"),
		Entry(nil, "uv", "dns error: failed to lookup address information", uvUnreached, "retries=0 timeout=20", "--index-url", "https://other.example/simple", "two"),
		Entry(nil, "uv", "tcp connect error: Connection refused (os error 111)", uvUnreached, "retries=0 timeout=20", "--index-url", "https://other.example/simple", "two"),
		Entry(nil, "uv", "operation timed out", uvUnreached, "retries=0 timeout=20", "--index-url", "https://other.example/simple", "two"),
	)

	DescribeTable("is asked as the user configured it after a failure that may pass", func(ctx context.Context, program, cause, first string) {
		store := failing(program, cause)

		Expect(resolve(ctx, store, program, "one")).NotTo(Succeed())
		Expect(resolve(ctx, store, program, "two")).NotTo(Succeed())

		Expect(runs()).To(HaveExactElements(first, "retries= timeout=", first, "retries= timeout="))
	},
		Entry(nil, "npm", "E503", "retries=0 timeout=20000"),
		Entry(nil, "uv", "HTTP status server error (503 Service Unavailable)", "retries=0 timeout=20"),
	)

	DescribeTable("is asked with the limits that variables set", func(ctx context.Context, program, cause, run string, environ ...string) {
		Expect(resolve(ctx, failing(program, cause, environ...), program, "one")).NotTo(Succeed())

		Expect(runs()).To(HaveExactElements(run))
	},
		Entry(nil, "npm", "EAI_AGAIN", "retries=0 timeout=9", "npm_config_fetch_timeout=9"),
		Entry(nil, "uv", "operation timed out", "retries=9 timeout=", "UV_HTTP_RETRIES=9", "UV_REQUEST_TIMEOUT=8"),
	)
})

const (
	npmUnreached = "resolve the npm package %s: the registry "
	uvUnreached  = "resolve the Python package %s: the registry cannot be reached (uv says: Failed to fetch"
)
