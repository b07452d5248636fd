package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("A URI fits a template", func(template, uri string, fits bool) {
	Expect(domain.MayExpandTo(template, uri)).To(Equal(fits))
},
	Entry("with an expression at its end", "file:///{path}", "file:///a", true),
	Entry("with an empty one", "file:///{path}", "file:///", true),
	Entry("with one of several segments", "file:///{+path}", "file:///a/b/c", true),
	Entry("with one in the middle", "a://{id}/log", "a://7/log", true),
	Entry("with a text at its end that comes twice", "a://{id}/log", "a://7/log/log", true),
	Entry("with several", "a://{id}/{part}.txt", "a://7/x.txt", true),
	Entry("without any", "a://b", "a://b", true),
	Entry("but not of another scheme", "file:///{path}", "a:///b", false),
	Entry("but not with another end", "a://{id}/log", "a://7/logs", false),
	Entry("but not without what comes between", "a://{id}/x/{part}", "a://7/y/8", false),
	Entry("but not what it begins with", "a://b", "a://bc", false),
	Entry("but none that is not closed", "a://{id", "a://7", false),
	Entry("but nothing fits none", "", "a://7", false),
)

var _ = DescribeTable("A resource contains", func(resource, other string, contains bool) {
	Expect(domain.ResourceContains(resource, other)).To(Equal(contains))
},
	Entry("itself", "file:///a", "file:///a", true),
	Entry("what is below it", "file:///a", "file:///a/b/c", true),
	Entry("what is below it, with a slash at its end", "file:///a/", "file:///a/b", true),
	Entry("no resource that only begins like it", "file:///a", "file:///ab", false),
	Entry("not the one above it", "file:///a/b", "file:///a", false),
)
