package application_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Locking packages", func() {
	files, web := domain.ServerID{Toolbox: "dev", Server: "files"}, domain.ServerID{Toolbox: "dev", Server: "web"}

	// lockWorkbench locks the servers "files", whose launcher fetches a@^1, and "web",
	// which has a program of its own.
	type lockWorkbench struct {
		t        *testing.T
		servers  versions
		pins     *fakePins
		packages *fakePackages
		locks    *fakePackageLocks
		toolbox  domain.Toolbox
	}
	begin := func(t *testing.T, pinned ...domain.PackagePin) *lockWorkbench {
		toolbox := toolbox("dev", "files", "web")
		toolbox.Servers[0].Settings = json.RawMessage(`{"fetch":"a@^1"}`)
		toolbox.Servers[0].Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "***"}}
		w := &lockWorkbench{
			t: t, toolbox: toolbox, servers: versions{start(t, toolbox).servers, map[string]func(*fakeServer){}}, packages: newFakePackages(),
			locks: newFakePackageLocks(), pins: &fakePins{},
		}
		w.packages.newest["a@^1"] = "1.2.0"
		for _, version := range []string{"1.1.0", "1.2.0"} {
			w.servers.become[`{"pinned":"a@`+version+`"}`] = func(f *fakeServer) { f.lists("of " + version) }
		}
		w.servers.become[`{"fetch":"a@^1"}`] = func(f *fakeServer) { f.lists("as configured") }
		if len(pinned) == 0 {
			return w
		}
		lock := lockOf("of " + pinned[0].Version)
		lock.Servers = append(lock.Servers, domain.LockedServer{ID: web, Instructions: []string{""}, Tools: []domain.LockedTool{lockedAs("read: locked")}})
		lock.Packages = []domain.PinnedPackage{{ID: files, PackagePin: pinned[0]}}
		w.pins.lock = lock
		w.locks.files[files] = "lock of " + pinned[0].String()
		return w
	}
	compare := func(w *lockWorkbench, request domain.LockRequest) (*application.ToolLocker, domain.LockComparison) {
		locker := application.NewToolLocker(fakeCatalog{w.toolbox}, application.NewPreparingConnector(w.servers, nil), w.pins, fakeDefinitions{}, w.packages, w.locks, inspectingHosts, slog.New(slog.DiscardHandler))
		w.t.Cleanup(func() { closeWithin(locker, time.Hour) })
		found := spec.Must(locker.CompareTools(w.t.Context(), request))
		return locker, found
	}
	tools := func(found domain.LockComparison) []string {
		var names []string
		for _, tool := range found.Live.Servers[0].Tools {
			names = append(names, tool.Name)
		}
		return names
	}

	It("resolves, installs and tries a package that is not pinned, and lists the tools of that version", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.packages.scripted = []string{"b@1.0.0"}

		locker, found := compare(w, domain.LockRequest{Packages: true})

		pin := pinOf("a@^1", "1.2.0")
		Expect(found.Live.Packages).To(Equal([]domain.PinnedPackage{{ID: files, PackagePin: pin}}))
		Expect(found.Packages).To(Equal([]domain.PackageComparison{
			{ID: files, Live: &pin, Newest: "1.2.0", Scripted: []string{"b@1.0.0"}, Tried: true},
		}))
		Expect(tools(found)).To(Equal([]string{"of 1.2.0"}))
		Expect(w.packages.asked).To(Equal([]string{"install a@1.2.0", "resolve a@^1"}))
		Expect(w.servers.fakeServers[files].configured).To(HaveEach(`{"pinned":"a@1.2.0"}`))
		Expect(w.locks.files).To(BeEmpty(), "no lock is written before the caller asks for it")

		Expect(locker.LockTools(found)).To(Succeed())
		Expect(w.locks.files).To(Equal(map[domain.ServerID]string{files: "lock of a@1.2.0"}))
		Expect(w.pins.saved).To(HaveExactElements(HaveField("Packages", found.Live.Packages)))
	}))

	It("writes no lock if a lock file that it names could not be written", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.locks.failure = errors.New("disk full")
		locker, found := compare(w, domain.LockRequest{Packages: true})

		Expect(locker.LockTools(found)).To(MatchError("disk full"))
		Expect(w.pins.saved).To(BeEmpty())
	}))

	It("keeps the pinned version despite newer ones, and asks no registry", spec.InBubble(func(t *testing.T) {
		for _, request := range []domain.LockRequest{{}, {Packages: true}} {
			w := begin(t, pinOf("a@^1", "1.1.0"))

			locker, found := compare(w, request)

			Expect(found.Live.Packages).To(Equal(w.pins.lock.Packages))
			Expect(tools(found)).To(Equal([]string{"of 1.1.0"}))
			Expect(w.packages.asked).To(Equal([]string{"install a@1.1.0"}), "it was not installed here")
			Expect(found.PackageLocks).To(BeEmpty())
			Expect(locker.LockTools(found)).To(Succeed())
			Expect(w.locks.files).To(HaveKeyWithValue(files, "lock of a@1.1.0"))
		}
	}))

	It("starts servers as configured where packages are off, and keeps the pins", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.1.0"))

		_, found := compare(w, domain.LockRequest{AsConfigured: true})

		Expect(found.Live.Packages).To(Equal(w.pins.lock.Packages))
		Expect(found.Packages).To(BeEmpty())
		Expect(tools(found)).To(Equal([]string{"as configured"}))
	}))

	It("pins no package whose name would put a secret into the lock", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.toolbox.Servers[0].Settings = json.RawMessage(`{"fetch":"hunter2hunter2@1"}`)

		_, found := compare(w, domain.LockRequest{Packages: true})

		Expect(found.Live.Packages).To(BeEmpty())
		Expect(found.Packages[0].Failure).To(MatchError(HavePrefix("its package is named by a variable")))
	}))

	It("reports no packages when there are no pins and the request is not about them", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		_, found := compare(w, domain.LockRequest{})

		Expect(found.Packages).To(BeEmpty())
		Expect(found.Live.Packages).To(BeEmpty())
		Expect(tools(found)).To(Equal([]string{"as configured"}))
		Expect(w.packages.asked).To(BeEmpty())
	}))

	DescribeTable("drops a pin that no longer fits the configuration, and says why", Label("P05"),
		func(settings, reason string) {
			spec.InBubble(func(t *testing.T) {
				w := begin(t, pinOf("a@^1", "1.1.0"))
				w.toolbox.Servers[0].Settings = json.RawMessage(settings)

				locker, found := compare(w, domain.LockRequest{})

				Expect(found.Live.Packages).To(BeEmpty())
				Expect(found.Fits()).To(BeFalse())
				Expect(found.Packages).To(HaveLen(1))
				Expect(found.Packages[0].Differs()).To(BeTrue())
				Expect(found.Packages[0].Failure).To(MatchError(reason))
				Expect(w.servers.fakeServers[files].configured).To(HaveEach(settings))
				Expect(locker.LockTools(found)).To(Succeed())
				Expect(w.locks.files).To(BeEmpty())
			})()
		},
		Entry("another range", `{"fetch":"a@^2"}`, "it is locked for a@^1, and the configuration says a@^2; 'lock --packages' pins it again"),
		Entry("another package", `{"fetch":"b"}`, "it is locked for a@^1, and the configuration says b; 'lock --packages' pins it again"),
		Entry("with install scripts", `{"fetch":"a@^1","scripts":true}`,
			"it is locked without install scripts, which the configuration allows; 'lock --packages' pins it again"),
		Entry("a launcher that cannot be pinned", `{"fetch":"image"}`, "images are not pinned here"),
		Entry("a program of its own", `{}`, "its command is no longer a launcher"),
	)

	It("pins the version of the current configuration on request", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^0", "1.1.0"))
		_, found := compare(w, domain.LockRequest{Packages: true})

		Expect(found.Live.Packages).To(Equal([]domain.PinnedPackage{{ID: files, PackagePin: pinOf("a@^1", "1.2.0")}}))
		Expect(tools(found)).To(Equal([]string{"of 1.2.0"}))
	}))

	It("leaves a server as configured if it does not start after the installation, with the reason", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.servers.become[`{"pinned":"a@1.2.0"}`] = func(f *fakeServer) { f.fail("it ended") }
		w.servers.become[`{"fetch":"a@^1"}`] = func(f *fakeServer) { f.repair(); f.lists("as configured") }

		_, found := compare(w, domain.LockRequest{Packages: true})

		Expect(found.Live.Packages).To(BeEmpty())
		Expect(found.PackageLocks).To(BeEmpty())
		Expect(found.Packages[0].Failure).To(MatchError("version 1.2.0 does not start: it ended"))
		Expect(found.Unreachable).To(BeEmpty())
		Expect(tools(found)).To(Equal([]string{"as configured"}))
	}))

	It("leaves a server as configured if its package cannot be resolved or installed, with the reason", Label("P04"), spec.InBubble(func(t *testing.T) {
		for _, step := range []string{"resolve", "install"} {
			w := begin(t)
			w.packages.failures[step] = errors.New("the registry does not answer hunter2hunter2")

			_, found := compare(w, domain.LockRequest{Packages: true})

			Expect(found.Live.Packages).To(BeEmpty())
			Expect(found.Packages[0].Failure).To(MatchError("the registry does not answer ***"))
			Expect(tools(found)).To(Equal([]string{"as configured"}))
		}
	}))

	It("names only launchers that cannot be pinned", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.toolbox.Servers[0].Settings = json.RawMessage(`{"fetch":"image"}`)
		_, found := compare(w, domain.LockRequest{Packages: true})

		Expect(found.Packages).To(HaveLen(1))
		Expect(found.Packages[0].Failure).To(MatchError("images are not pinned here"))
	}))

	It("reports newer versions without using them", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.1.0"))
		w.packages.changes = []domain.PackageChange{{Name: "b", Before: "1.0.0", After: "1.0.1"}}

		_, found := compare(w, domain.LockRequest{Packages: true, Newest: true})

		Expect(found.Packages).To(HaveLen(1))
		Expect(found.Packages[0].Newest).To(Equal("1.2.0"))
		Expect(found.Packages[0].Changes).To(Equal(w.packages.changes))
		Expect(found.Packages[0].Differs()).To(BeFalse())
		Expect(tools(found)).To(Equal([]string{"of 1.1.0"}))
	}))

	It("pins the newest version of a named server, and changes no other", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.1.0"))

		_, found := compare(w, domain.LockRequest{Servers: []domain.ServerID{files}})

		Expect(found.Live.Packages).To(Equal([]domain.PinnedPackage{{ID: files, PackagePin: pinOf("a@^1", "1.2.0")}}))
		Expect(found.Differences).To(HaveLen(2), "a tool that is new and one that is gone")
		Expect(found.Live.Servers[1]).To(Equal(w.pins.lock.Servers[1]))
		Expect(w.servers.fakeServers[web].started()).To(BeZero())
	}))

	It("keeps packages and tools of servers that are not named", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.1.0"))
		gone := domain.LockedServer{ID: domain.ServerID{Toolbox: "old", Server: "x"}, Instructions: []string{""}}
		w.pins.lock.Servers = append(w.pins.lock.Servers, gone)

		_, found := compare(w, domain.LockRequest{Servers: []domain.ServerID{web}, Packages: true})

		Expect(found.Live.Packages).To(Equal(w.pins.lock.Packages))
		Expect(found.Packages).To(BeEmpty())
		Expect(found.Live.Servers[0]).To(Equal(w.pins.lock.Servers[0]))
		Expect(found.Live.Servers[2]).To(Equal(gone))
		Expect(w.servers.fakeServers[files].started()).To(BeZero())
		Expect(w.packages.asked).To(BeEmpty())
	}))

	DescribeTable("keeps the version that it has when the newest",
		func(change func(*lockWorkbench), reason string) {
			spec.InBubble(func(t *testing.T) {
				w := begin(t, pinOf("a@^1", "1.1.0"))
				w.servers.become[`{"pinned":"a@1.1.0"}`] = func(f *fakeServer) { f.repair(); f.lists("of 1.1.0") }
				change(w)

				_, found := compare(w, domain.LockRequest{Servers: []domain.ServerID{files}})

				Expect(found.Live.Packages).To(Equal(w.pins.lock.Packages))
				Expect(found.Differences).To(BeEmpty())
				Expect(found.PackageLocks).To(BeEmpty())
				Expect(found.Packages[0].Failure).To(MatchError(reason))
			})()
		},
		Entry("does not start", func(w *lockWorkbench) {
			w.servers.become[`{"pinned":"a@1.2.0"}`] = func(f *fakeServer) { f.fail("it ended") }
		}, "version 1.2.0 does not start: it ended"),
		Entry("cannot be found", func(w *lockWorkbench) { w.packages.failures["resolve"] = errors.New("no network") }, "no network"),
		Entry("has a dependency that changed under the same version", func(w *lockWorkbench) {
			w.packages.changes = []domain.PackageChange{{Name: "b", Before: "1.0.0", After: "1.0.0", OtherBytes: true}}
		}, "the registry has other bytes under b@1.0.0 than when it was locked: the release was changed"),
	)

	It("says that the pinned version is the newest", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.2.0"))

		_, found := compare(w, domain.LockRequest{Servers: []domain.ServerID{files}})

		Expect(found.Packages).To(HaveLen(1))
		Expect(found.Packages[0].Newest).To(Equal("1.2.0"))
		Expect(found.Packages[0].Failure).NotTo(HaveOccurred())
		Expect(found.Fits()).To(BeTrue())
		Expect(found.PackageLocks).To(BeEmpty())
	}))

	It("does not start a server in another way if its lock file cannot be used", spec.InBubble(func(t *testing.T) {
		w := begin(t, pinOf("a@^1", "1.1.0"))
		delete(w.locks.files, files)

		_, found := compare(w, domain.LockRequest{})

		Expect(found.Unreachable).To(HaveLen(1))
		Expect(domain.Reason(found.Unreachable[0].Failure)).To(HavePrefix(
			"the lock file of a@1.1.0 beside workbench.lock.json cannot be used: it does not exist"))
		Expect(found.Live).To(Equal(domain.Lock{
			Servers: []domain.LockedServer{w.pins.lock.Servers[0], found.Live.Servers[1]}, Packages: w.pins.lock.Packages,
		}))
	}))
})
