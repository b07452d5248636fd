package trust_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The record of a trusted file", Label("TT05"), func() {
	var (
		folder, path string
		records      *trust.Records
		text         = []byte(`{"toolboxes":{}}`)
	)

	BeforeEach(func() {
		root := spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))
		folder, path = filepath.Join(root, "state", "trust"), filepath.Join(root, "work", "workbench-config.json")
		Expect(os.Mkdir(filepath.Dir(path), 0o700)).To(Succeed())
		records = trust.New(func() (string, error) { return folder, nil })
	})

	It("does not exist at first, and neither does its folder", func() {
		Expect(records.Check(path, text, nil)).To(MatchError(trust.ErrUnknown))
		Expect(records.List()).To(BeEmpty())
		Expect(records.Remove(path)).To(BeFalse())
		Expect(folder).NotTo(BeADirectory())
	})

	It("is the path and the digest of the bytes, until others are trusted or it is removed", func() {
		Expect(records.Add(path, text, nil, trust.Said{})).To(Succeed())
		Expect(records.Check(path, text, nil)).To(Succeed())
		Expect(records.Check(path, append(text, ' '), nil)).To(MatchError(trust.ErrChanged))
		Expect(records.Check(path+"x", text, nil)).To(MatchError(trust.ErrUnknown))

		Expect(records.Add(path, []byte("other"), nil, trust.Said{})).To(Succeed())
		Expect(records.Check(path, text, nil)).To(MatchError(trust.ErrChanged))
		Expect(records.List()).To(HaveExactElements(HaveField("Path", path)))

		Expect(records.Remove(path)).To(BeTrue())
		Expect(records.Check(path, []byte("other"), nil)).To(MatchError(trust.ErrUnknown))
	})

	It("is the lock beside the file too, which may be none, until the lock is renewed", func() {
		lock, other := []byte("{}"), []byte("{ }")
		Expect(records.Add(path, text, nil, trust.Said{})).To(Succeed())
		Expect(records.Check(path, text, lock)).To(MatchError(trust.ErrLockChanged))

		Expect(records.RenewLock(path, nil, lock, nil)).To(Succeed())
		Expect(records.Check(path, text, lock)).To(Succeed())
		Expect(records.Check(path, text, nil)).To(MatchError(trust.ErrLockChanged))

		Expect(records.RenewLock(path, other, other, nil)).To(Succeed())
		Expect(records.RenewLock(path, other, nil, nil)).To(Succeed())
		Expect(records.Check(path, text, lock)).To(Succeed(), "it was never trusted beside the other one")
	})

	It("is renewed for no path that is not trusted", func() {
		Expect(records.RenewLock(path, nil, []byte("{}"), nil)).To(Succeed())
		Expect(records.List()).To(BeEmpty())
	})

	It("is one path, through any link to the folder", func() {
		if runtime.GOOS == "windows" {
			Skip("package filepath does not follow links of Wine")
		}
		link := filepath.Join(filepath.Dir(filepath.Dir(path)), "link")
		if err := os.Symlink(filepath.Dir(path), link); err != nil {
			Skip("this user may not make links: " + err.Error())
		}
		Expect(records.Add(filepath.Join(link, "workbench-config.json"), text, nil, trust.Said{})).To(Succeed())

		Expect(records.Check(path, text, nil)).To(Succeed())
	})

	DescribeTable("does not count when it is damaged", func(damage string) {
		Expect(records.Add(path, text, nil, trust.Said{})).To(Succeed())
		place := spec.Must(records.Place(path))
		Expect(os.WriteFile(place, []byte(damage), 0o600)).To(Succeed())

		Expect(records.Check(path, text, nil)).NotTo(Succeed())
	},
		Entry("by nothing in it", ""),
		Entry("by half of it", `{"path":"/x","sha`),
		Entry("by another digest", `{"path":"/x","sha256":""}`),
		Entry("by more than a record is", `{"path":"`+string(make([]byte, 1<<17))+`"}`),
	)

	It("names a record that cannot be read, and lists the others", func() {
		Expect(records.Add(path, text, nil, trust.Said{})).To(Succeed())
		Expect(records.Add(path+"x", text, nil, trust.Said{})).To(Succeed())
		place := spec.Must(records.Place(path))
		Expect(os.WriteFile(place, nil, 0o600)).To(Succeed())

		listed, err := records.List()

		Expect(listed).To(HaveExactElements(HaveField("Path", path+"x")))
		Expect(err).To(MatchError(ContainSubstring(place)))
	})

	It("loses nothing when many are written at once", func() {
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(records.Add(fmt.Sprintf("%s%d", path, i), text, nil, trust.Said{})).To(Succeed())
			})
		}
		wg.Wait()

		Expect(records.List()).To(HaveLen(20))
	})

	It("says why it cannot be kept", func() {
		Expect(os.WriteFile(filepath.Dir(folder), nil, 0o600)).To(Succeed())
		Expect(records.Add(path, text, nil, trust.Said{})).To(MatchError(ContainSubstring("make the folder of trust records")))

		failure := errors.New("there is no home")
		homeless := trust.New(func() (string, error) { return "", failure })
		Expect(homeless.Add(path, text, nil, trust.Said{})).To(MatchError(failure))
		Expect(homeless.Check(path, text, nil)).To(MatchError(failure))
	})
})
