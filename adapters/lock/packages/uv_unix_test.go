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
	"mcp-workbench/tests/spec"
)

var _ = Describe("A package of Python", func() {
	// scripted puts a program called uv into a folder, which notes how it was called.
	scripted := func(script string) string {
		GinkgoHelper()
		folder := GinkgoT().TempDir()
		text := "#!/bin/sh\necho \"$@\" > " + filepath.Join(folder, "called") + "\ncat > " + filepath.Join(folder, "wanted") + "\n" + script + "\n"
		Expect(os.WriteFile(filepath.Join(folder, "uv"), []byte(text), 0o700)).To(Succeed())
		return folder
	}
	var environ []string
	BeforeEach(func() { environ = nil })
	resolve := func(ctx context.Context, path string, args ...string) (domain.ResolvedPackage, error) {
		GinkgoHelper()
		store := packages.New(GinkgoT().TempDir(), append(environ, "PATH="+path+":/usr/bin:/bin"))
		uvx := server("uvx", args...)
		uvx.Secrets = domain.Secrets{{Value: "https://token@index", Shown: "${INDEX}"}}
		request, _, err := store.Request(uvx)
		Expect(err).NotTo(HaveOccurred())
		return store.Resolve(ctx, uvx, request)
	}
	content := func(path ...string) string {
		GinkgoHelper()
		return string(spec.Must(os.ReadFile(filepath.Join(path...))))
	}

	It("is resolved by uv, with the options that say where it is found", func(ctx context.Context) {
		folder := scripted(`echo "# comment"; echo "mcp_server.time[x]==2026.1.2  # via"`)

		resolved := spec.Must(resolve(ctx, folder, "-p", "3.12", "--with", "other", "--index-url=https://token@index", "-q", "--from", "Mcp-Server-Time[x]>=1", "time"))
		Expect(resolved).To(Equal(domain.ResolvedPackage{Version: "2026.1.2"}))
		Expect(content(folder, "wanted")).To(Equal("Mcp-Server-Time[x]>=1\n"))
		Expect(content(folder, "called")).To(HavePrefix("pip compile - "))
		Expect(content(folder, "called")).To(HaveSuffix(" --python 3.12 --index-url https://token@index\n"))
	})

	DescribeTable("has a version that starts and a newest one",
		func(ctx context.Context, spec, starts, wanted string) {
			folder := scripted(`if grep -q '<' ` + "\"$(dirname \"$0\")\"" + `/wanted; then echo "time==1.9"; else echo "time==3"; fi`)
			store := packages.New(GinkgoT().TempDir(), []string{"PATH=" + folder + ":/usr/bin:/bin"})

			versions, fetches, err := store.Versions(ctx, server("uvx", spec))

			Expect(err).NotTo(HaveOccurred())
			Expect(fetches).To(BeTrue())
			Expect(versions).To(Equal(domain.PackageVersions{Kind: domain.PackagePyPI, Name: "time", Starts: starts, Newest: "3"}))
			Expect(content(folder, "wanted")).To(Equal(wanted))
		},
		Entry("of which uvx keeps the one that it fetched", "time", "", "time\n"), Entry("latest", "time@latest", "3", "time\n"),
		Entry("an exact one", "time@2.1", "2.1", "time\n"), Entry("a range", "time<2", "1.9", "time<2\n"),
	)

	It("is the newest one for latest", func(ctx context.Context) {
		folder := scripted(`echo "time==3"`)

		Expect(resolve(ctx, folder, "time@latest")).To(HaveField("Version", "3"))
		Expect(content(folder, "wanted")).To(Equal("time\n"))
	})

	It("is resolved in an empty folder with the settings of the user, and without those in the folders above", Label("TS03"), func(ctx context.Context) {
		folder := scripted(`pwd > "$(dirname "$0")/folder"; ls -A >> "$(dirname "$0")/folder"; echo "time==3"`)
		own := GinkgoT().TempDir()
		environ = []string{"HOME=" + own, "XDG_CONFIG_DIRS=" + own}
		Expect(resolve(ctx, folder, "time")).To(HaveField("Version", "3"))
		Expect(content(folder, "called")).To(HaveSuffix(" --no-config\n"))
		Expect(strings.Fields(content(folder, "folder"))).To(HaveExactElements(ContainSubstring("/npm/.tmp-")))

		Expect(os.MkdirAll(filepath.Join(own, ".config", "uv"), 0o700)).To(Succeed())
		settings := filepath.Join(own, ".config", "uv", "uv.toml")
		Expect(os.WriteFile(settings, nil, 0o600)).To(Succeed())
		Expect(resolve(ctx, folder, "time")).To(HaveField("Version", "3"))
		Expect(content(folder, "called")).To(HaveSuffix(" --no-config --config-file " + settings + "\n"))

		for _, word := range []string{"--config-file=x", "--no-config"} {
			Expect(resolve(ctx, folder, word, "time")).To(HaveField("Version", "3"))
			Expect(strings.Count(content(folder, "called"), "--config-file") + strings.Count(content(folder, "called"), "--no-config")).To(BeNumerically("<=", 2))
			Expect(content(folder, "called")).NotTo(ContainSubstring(settings))
		}
	})

	DescribeTable("cannot be resolved",
		func(ctx context.Context, script, reason string) {
			_, err := resolve(ctx, scripted(script), "time")
			Expect(err).To(MatchError("resolve the Python package time: " + reason))
		},
		Entry("when uv fails", `echo "error: no route to https://token@index" >&2; exit 2`, "uv failed: no route to ${INDEX}"),
		Entry("when uv writes so much that a secret would be cut", `printf "%0395d" 0 >&2; echo "https://token@index" >&2; exit 2`,
			"uv failed: "+strings.Repeat("0", 395)+"${IND…"),
		Entry("when uv fails in silence", `exit 2`, "uv failed: exit status 2"),
		Entry("when uv names nothing", `:`, "uv named no version of it"),
		Entry("when uv names another package", `echo "times==3"`, "uv named no version of it"),
		Entry("when uv names something that is not a version", `echo "time==3;rm"`, "uv named no version of it"),
	)

	It("cannot be resolved without uv", func(ctx context.Context) {
		store := packages.New(GinkgoT().TempDir(), []string{"PATH=" + GinkgoT().TempDir()})
		request, _, err := store.Request(server("uvx", "time"))
		Expect(err).NotTo(HaveOccurred())

		_, err = store.Resolve(ctx, server("uvx", "time"), request)

		Expect(err).To(MatchError("resolve the Python package time: uv is not in PATH; install it (https://docs.astral.sh/uv)"))
	})
})
