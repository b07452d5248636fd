//go:build unix

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("An address that only the user may know", Label("TG03"), func() {
	const secret = "K7SECRET"
	address := "http://127.0.0.1:7346/" + secret + `/ui/?a="1"&token=` + secret
	var folder, seen string
	BeforeEach(func() {
		folder, seen = filepath.Join(GinkgoT().TempDir(), "a #b", "ui"), filepath.Join(GinkgoT().TempDir(), "seen")
		script := filepath.Join(GinkgoT().TempDir(), "browser")
		Expect(os.WriteFile(script, []byte("#!/bin/sh\necho \"$*\" > "+seen+".part && mv "+seen+".part "+seen+"\n"), 0o700)).To(Succeed())
		GinkgoT().Setenv("BROWSER", script)
	})

	It("is in a file of the user, and not in the command line of the browser", func() {
		remove, err := OpenPrivately(address, folder, func(err error) { GinkgoWriter.Println(err) })
		Expect(err).NotTo(HaveOccurred())

		var words []byte
		Eventually(func() (err error) { words, err = os.ReadFile(seen); return }).WithTimeout(time.Minute).Should(Succeed())
		Expect(string(words)).NotTo(ContainSubstring(secret))
		Expect(string(words)).To(And(HavePrefix("file:///"), ContainSubstring("a%20%23b/ui/page-")))
		files, err := filepath.Glob(filepath.Join(folder, "*.html"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(1))
		info, err := os.Stat(files[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode()).To(Equal(os.FileMode(0o600)))
		text, err := os.ReadFile(files[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(ContainSubstring(`content="0;url=` + strings.NewReplacer(`"`, "&#34;", "&", "&amp;").Replace(address) + `"`))
		remove()
		Expect(files[0]).NotTo(BeAnExistingFile())
	})

	It("is removed later if the program that wrote it was killed", func() {
		Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
		old, young := filepath.Join(folder, "page-1.html"), filepath.Join(folder, "page-2.html")
		for _, path := range []string{old, young} {
			Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		}
		Expect(os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour))).To(Succeed())

		_, err := OpenPrivately(address, folder, func(error) {})

		Expect(err).NotTo(HaveOccurred())
		Expect(old).NotTo(BeAnExistingFile())
		Expect(young).To(BeAnExistingFile(), "it may be in use")
	})

	It("leaves no file if there is no browser", func() {
		GinkgoT().Setenv("BROWSER", "/nothing/here")

		_, err := OpenPrivately(address, folder, func(error) {})

		Expect(err).To(HaveOccurred())
		Expect(filepath.Glob(filepath.Join(folder, "*"))).To(BeEmpty())
	})
})
