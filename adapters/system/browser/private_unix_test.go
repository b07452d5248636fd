//go:build unix

package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("An address that only the user may know", Label("TG03"), func() {
	const secret = "K7SECRET"
	address := "http://127.0.0.1:7346/" + secret + `/ui/?a="1"&token=` + secret
	var folder, seen string
	BeforeEach(func() {
		folder, seen = filepath.Join(GinkgoT().TempDir(), "a #b", "mcp-workbench", "ui"), filepath.Join(GinkgoT().TempDir(), "seen")
		script := filepath.Join(GinkgoT().TempDir(), "browser")
		Expect(os.WriteFile(script, []byte("#!/bin/sh\necho \"$*\" > "+seen+".part && mv "+seen+".part "+seen+"\n"), 0o700)).To(Succeed())
		GinkgoT().Setenv("BROWSER", script)
		GinkgoT().Setenv("XDG_STATE_HOME", filepath.Dir(filepath.Dir(folder)))
		GinkgoT().Setenv("WSL_DISTRO_NAME", "")
		if used, err := folderFor(snaps); err != nil || used != folder {
			Skip("the folder depends on the system")
		}
	})

	It("is in a file of the user, and not in the command line of the browser", func() {
		remove, err := OpenPrivately(address, func(err error) { GinkgoWriter.Println(err) })
		Expect(err).NotTo(HaveOccurred())

		var words []byte
		Eventually(func() (err error) { words, err = os.ReadFile(seen); return }).WithTimeout(time.Minute).Should(Succeed())
		Expect(string(words)).NotTo(ContainSubstring(secret))
		Expect(string(words)).To(And(HavePrefix("file:///"), ContainSubstring("ui/mcp-workbench-page-")))
		files := spec.Must(filepath.Glob(filepath.Join(folder, "*.html")))
		Expect(files).To(HaveLen(1))
		Expect(spec.Must(os.Stat(files[0])).Mode()).To(Equal(os.FileMode(0o600)))
		text := spec.Must(os.ReadFile(files[0]))
		Expect(string(text)).To(ContainSubstring(`content="0;url=` + strings.NewReplacer(`"`, "&#34;", "&", "&amp;").Replace(address) + `"`))
		remove()
		Expect(files[0]).NotTo(BeAnExistingFile())
	})

	It("is removed later if the program that wrote it was killed", func() {
		Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
		old, young := filepath.Join(folder, "mcp-workbench-page-1.html"), filepath.Join(folder, "mcp-workbench-page-2.html")
		for _, path := range []string{old, young} {
			Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		}
		Expect(os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour))).To(Succeed())

		Expect(OpenPrivately(address, func(error) {})).Error().NotTo(HaveOccurred())
		Expect(old).NotTo(BeAnExistingFile())
		Expect(young).To(BeAnExistingFile(), "it may be in use")
	})

	DescribeTable("is known to the browser itself if that cannot read files of this system",
		func(expected bool, variables ...string) {
			Expect(isElsewhere(func(name string) string {
				i := slices.Index(variables, name)
				if i < 0 {
					return ""
				}
				return variables[i+1]
			})).To(Equal(expected))
		},
		Entry("in WSL", true, "WSL_DISTRO_NAME", "Debian"),
		Entry("in an editor that is connected from another machine", true, "VSCODE_IPC_HOOK_CLI", "/run/x.sock", "BROWSER", "/x/helpers/browser.sh"),
		Entry("not in the terminal of an editor", false, "VSCODE_IPC_HOOK_CLI", "/run/x.sock"),
		Entry("not with another program", false, "BROWSER", "/x/browser.sh"),
	)

	It("is in a folder that is not hidden if there is a browser from Snap, which reads no other", func() {
		home := GinkgoT().TempDir()
		GinkgoT().Setenv("HOME", home)
		Expect(folderFor([]string{"/nothing", home})).To(Equal(home))
		Expect(folderFor([]string{"/nothing"})).To(Equal(folder))
	})

	It("leaves no file if there is no browser", func() {
		GinkgoT().Setenv("BROWSER", "/nothing/here")

		_, err := OpenPrivately(address, func(error) {})

		Expect(err).To(HaveOccurred())
		Expect(filepath.Glob(filepath.Join(folder, "*"))).To(BeEmpty())
	})
})
