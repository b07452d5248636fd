package main

import (
	"runtime/debug"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = DescribeTable("The version of a program that is not a release", func(module, revision, modified, want string) {
	build := &debug.BuildInfo{Main: debug.Module{Version: module}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified},
	}}

	Expect(versionIn(build)).To(Equal(want))
},
	Entry("of a tag", "v1.2.3", "0acdc88f634e1234", "false", "v1.2.3"),
	Entry("of a tag with changes", "v1.2.3+dirty", "0acdc88f634e1234", "true", "devel-0acdc88f634e+dirty"),
	Entry("of a tag before a release", "v1.2.3-rc.1", "0acdc88f634e1234", "false", "v1.2.3-rc.1"),
	Entry("of a commit", "v0.0.0-20261122171554-0acdc88f634e", "0acdc88f634e1234", "false", "devel-0acdc88f634e"),
	Entry("of a commit after a tag", "v1.2.4-0.20261122171554-0acdc88f634e", "0acdc88f634e1234", "false", "devel-0acdc88f634e"),
	Entry("of a commit after a tag before a release", "v1.2.3-rc.1.0.20261122171554-0acdc88f634e", "0acdc88f634e1234", "false", "devel-0acdc88f634e"),
	Entry("of a commit with changes", "v0.0.0-20261122171554-0acdc88f634e+dirty", "0acdc88f634e1234", "true", "devel-0acdc88f634e+dirty"),
	Entry("of a module without a repository", "v0.0.0-20261122171554-0acdc88f634e", "", "", "devel-0acdc88f634e"),
	Entry("without a repository", "(devel)", "", "", "devel"),
	Entry("built by an old Go", "(devel)", "0acdc88f634e1234", "false", "devel-0acdc88f634e"),
	Entry("without any information", "", "", "", "devel"),
)

var _ = It("A release has the version with which it was built", func() {
	Expect(readBuildInfo("v9.9.9").Version).To(Equal("v9.9.9"))
	Expect(readBuildInfo("").Version).To(HavePrefix("devel"))
})
