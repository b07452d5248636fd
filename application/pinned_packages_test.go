package application_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server whose launcher fetches its package", func() {
	pin := domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: "a", Spec: "a@^1"}, Version: "1.2.3", LockDigest: "digest",
	}
	lock := &domain.Lock{Packages: []domain.PinnedPackage{{ID: fetchedID, PackagePin: pin}}}
	others := &domain.Lock{Packages: []domain.PinnedPackage{{ID: domain.ServerID{Toolbox: "dev", Server: "other"}, PackagePin: pin}}}
	broken := &domain.LockBrokenError{Path: "/p/workbench.lock.json", Reason: "line 2 is not valid JSON"}

	var (
		fake    *fetchingPackages
		locks   *lockFile
		servers *startedServers
		host    *startedHost
		log     *bytes.Buffer
	)
	BeforeEach(func() {
		fake, locks, servers, host = &fetchingPackages{installed: map[string]bool{}}, &lockFile{text: "text"}, &startedServers{}, &startedHost{}
		log = &bytes.Buffer{}
	})
	// start starts the server and returns its warnings, without the one that it always has.
	start := func(server domain.Server, state pinning.PackageState) ([]domain.Warning, error) {
		connector := application.NewPreparingConnector(servers, nil).AtPins(
			fake, locks, func() pinning.PackageState { return state }, slog.New(slog.NewTextHandler(log, nil)))
		session, err := connector.Connect(context.Background(), server, host, nil)
		if err != nil {
			Expect(session).To(BeNil())
			Expect(err).To(MatchError(domain.ErrServerUnavailable))
			return nil, err
		}
		list := spec.Must(session.ListTools(context.Background()))
		Expect(list.Warnings[0].Kind).To(Equal(domain.ListCut))
		return list.Warnings[1:], nil
	}
	const asPinned, asConfigured = `{"pinned":"1.2.3"}`, `{"fetch":"a@^1"}`

	It("is started at the version of the lock", func() {
		fake.installed["digest"] = true
		locks.broken = errors.New("not read")

		Expect(spec.Must(start(fetchedServer("a@^1"), pinning.PackageState{Lock: lock}))).To(BeEmpty())
		Expect(servers.started).To(Equal([]string{asPinned}))
		Expect(fake.asked).To(Equal([]string{"request"}))
		Expect(host.starts).To(BeEmpty())
	})

	It("is installed before its first start, which is reported to waiting callers", func() {
		Expect(spec.Must(start(fetchedServer("a@^1"), pinning.PackageState{Lock: lock}))).To(BeEmpty())
		Expect(servers.started).To(Equal([]string{asPinned}))
		Expect(fake.asked).To(Equal([]string{"request", "install text"}))
		Expect(host.starts).To(HaveExactElements(And(HaveField("MayDownload", true), HaveField("Installing", "a@1.2.3"))))
	})

	It("is started as configured, without a look at its launcher, while nothing is pinned", func() {
		for _, state := range []pinning.PackageState{{}, {Lock: &domain.Lock{}}, {OnlyAsPinned: true}} {
			Expect(spec.Must(start(fetchedServer("a@^1"), state))).To(BeEmpty())
		}
		Expect(servers.started).To(HaveEach(asConfigured))
		Expect(fake.asked).To(BeEmpty())
	})

	It("is started as configured while only other packages are pinned", func() {
		Expect(spec.Must(start(fetchedServer("a@^1"), pinning.PackageState{Lock: others, OnlyAsPinned: true}))).To(BeEmpty())
		Expect(servers.started).To(Equal([]string{asConfigured}))
	})

	It("does not include servers without a launcher, which always start", func() {
		for _, state := range []pinning.PackageState{{Lock: lock}, {OnlyPinned: true, OnlyAsPinned: true}, {Broken: broken, OnlyAsPinned: true}} {
			Expect(spec.Must(start(fetchedServer(""), state))).To(BeEmpty())
		}
		Expect(servers.started).To(HaveEach(`{"fetch":""}`))
	})

	DescribeTable("is refused where only pinned packages start, with what to do, when", Label("P05"),
		func(server domain.Server, state pinning.PackageState, reason string) {
			state.OnlyPinned, state.OnlyAsPinned = true, true

			_, err := start(server, state)

			Expect(domain.Reason(err)).To(HavePrefix(reason))
			Expect(servers.started).To(BeEmpty())
		},
		Entry("there is no lock", fetchedServer("a@^1"), pinning.PackageState{},
			"its package is not pinned, and the configuration lets only pinned packages start (\"packages\")"),
		Entry("the lock has other packages", fetchedServer("a@^1"), pinning.PackageState{Lock: others}, "its package is not pinned"),
		Entry("it cannot be pinned", fetchedServer("image"), pinning.PackageState{Lock: others},
			"its package cannot be pinned, and the configuration lets only pinned packages start (\"packages\"): images are not pinned here"),
		Entry("the lock cannot be used", fetchedServer("a@^1"), pinning.PackageState{Broken: broken},
			"it is not known whether its package is pinned, since workbench.lock.json cannot be used: line 2 is not valid JSON"),
	)

	// The conditions under which a pin is unusable, and the reasons that are reported.
	for _, unusable := range []struct {
		when   string
		spec   string
		locks  lockFile
		reason string
	}{
		{
			"the configuration requests something else", "a@^2",
			lockFile{},
			"it is locked for a@^1, and the configuration says a@^2",
		},
		{
			"the configuration has a launcher that cannot be pinned", "image",
			lockFile{},
			"workbench.lock.json has a pin for a@^1, but what is configured now cannot be pinned: images are not pinned here",
		},
		{
			"its lock file is missing", "a@^1",
			lockFile{broken: &domain.LockBrokenError{Path: "/p/x", Reason: "it does not exist"}},
			"the lock file of a@1.2.3 beside workbench.lock.json cannot be used: it does not exist",
		},
		{
			"its lock file cannot be read", "a@^1",
			lockFile{broken: errors.New("disk full")},
			"the lock file of a@1.2.3 beside workbench.lock.json cannot be used: disk full",
		},
	} {
		It("is started as configured when "+unusable.when+", with a warning in its list of tools and in the log", func() {
			*locks = unusable.locks

			warnings := spec.Must(start(fetchedServer(unusable.spec), pinning.PackageState{Lock: lock}))
			Expect(warnings).To(HaveExactElements(And(HaveField("Kind", domain.PackageNotPinned), HaveField("Reason", MatchError(unusable.reason)))))
			Expect(servers.started).To(Equal([]string{`{"fetch":"` + unusable.spec + `"}`}))
			Expect(log.String()).To(And(ContainSubstring("level=WARN"), ContainSubstring("server=files")))
		})

		It("is refused where pins count when "+unusable.when, func() {
			*locks = unusable.locks

			_, err := start(fetchedServer(unusable.spec), pinning.PackageState{Lock: lock, OnlyAsPinned: true})

			Expect(domain.Reason(err)).To(Equal(unusable.reason))
			Expect(servers.started).To(BeEmpty())
		})
	}

	It("is named without secrets", func() {
		warnings := spec.Must(start(fetchedServer("a@hunter2hunter2"), pinning.PackageState{Lock: lock}))
		Expect(warnings[0].Reason).To(MatchError(HaveSuffix("the configuration says a@***")))
		Expect(log.String()).NotTo(ContainSubstring("hunter2"))
	})

	It("is started as configured when the lock cannot be used, with one warning for the toolbox", func() {
		warnings := spec.Must(start(fetchedServer("a@^1"), pinning.PackageState{Broken: broken, WarnsOfLock: true}))
		Expect(warnings).To(BeEmpty(), "the opened toolbox has a warning about the lock")

		warnings = spec.Must(start(fetchedServer("a@^1"), pinning.PackageState{Broken: broken}))
		Expect(warnings).To(HaveExactElements(HaveField("Kind", domain.PackageNotPinned)))
		Expect(log.String()).To(ContainSubstring("level=WARN"))
	})

	It("is refused under every policy when it cannot be installed, or the installation is damaged", func() {
		fake.failure = errors.New("a@1.2.3 has other bytes than hunter2hunter2")
		_, err := start(fetchedServer("a@^1"), pinning.PackageState{Lock: lock})
		Expect(domain.Reason(err)).To(Equal("a@1.2.3 has other bytes than ***"))

		fake.failure, fake.broken = nil, errors.New("its program is gone")
		_, err = start(fetchedServer("a@^1"), pinning.PackageState{Lock: lock})
		Expect(domain.Reason(err)).To(Equal("its program is gone"))
		Expect(servers.started).To(BeEmpty())
	})

	It("fails like any other server when it does not start", func() {
		fake.installed["digest"] = true
		servers.failure = &domain.ServerUnavailableError{ID: fetchedID, Reason: errors.New("it ended")}

		_, err := start(fetchedServer("a@^1"), pinning.PackageState{Lock: lock})

		Expect(err).To(BeIdenticalTo(servers.failure))
	})
})
