package packages_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/npmregistry"
)

var _ = Describe("The versions of a package of npm", Label("npm", "P01"), func() {
	DescribeTable("are the one that the next start runs, and the newest one of the registry",
		func(ctx context.Context, spec, starts string) {
			w := newWorld()
			for _, version := range []string{"1.0.0", "1.2.0", "3.0.0-beta.1", "2.0.0"} {
				w.registry.Publish(npmregistry.Program("@x/echo", version, ""))
			}

			versions, fetches, err := w.store.Versions(ctx, server("npx", "-y", spec))

			Expect(err).NotTo(HaveOccurred())
			Expect(fetches).To(BeTrue())
			Expect(versions).To(Equal(domain.PackageVersions{Kind: domain.PackageNPM, Name: "@x/echo", Starts: starts, Newest: "2.0.0"}))
		},
		Entry("without a version", "@x/echo", "2.0.0", NodeTimeout(npmTakes)),
		Entry("with latest", "@x/echo@latest", "2.0.0", NodeTimeout(npmTakes)),
		Entry("with a range", "@x/echo@^1.0", "1.2.0", NodeTimeout(npmTakes)),
		Entry("with a range that is written with x", "@x/echo@1.0.x", "1.0.0", NodeTimeout(npmTakes)),
		Entry("with an exact version", "@x/echo@1.0.0", "1.0.0", NodeTimeout(npmTakes)),
		Entry("with an exact version that the registry does not have", "@x/echo@0.1.0-rc.1", "0.1.0-rc.1", NodeTimeout(npmTakes)),
	)

	It("are known as far as the command line tells if the registry does not answer", func(ctx context.Context) {
		w := newWorld()
		w.registry.Close()

		versions, _, err := w.store.Versions(ctx, server("npx", "-y", "echo@1.0.0"))

		Expect(err).To(MatchError(ContainSubstring("the registry cannot be reached")))
		Expect(versions).To(Equal(domain.PackageVersions{Kind: domain.PackageNPM, Name: "echo", Starts: "1.0.0"}))
	}, NodeTimeout(npmTakes))
})

var _ = Describe("The versions of a package", func() {
	DescribeTable("are not asked for if nothing fetches one by its name", func(ctx context.Context, command string, args ...string) {
		_, fetches, err := packages.New(GinkgoT().TempDir(), nil).Versions(ctx, server(command, args...))

		Expect(err).NotTo(HaveOccurred())
		Expect(fetches).To(BeFalse())
	},
		Entry("a program", "node", "server.js"), Entry("a folder", "npx", "./server"), Entry("a repository", "uvx", "--from", "git+https://x.example/y", "y"),
		Entry("a shell command", "npx", "-c", "echo"), Entry("no package", "npx"),
	)
})
