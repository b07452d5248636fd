package ownprocess_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("The session of a shell", func() {
	const none, first, second = 0, 34816, 34817

	DescribeTable("is", func(session string, processes ...[3]int) {
		Expect(ownprocess.SessionOf(processes...)).To(Equal(session))
	},
		Entry("that of its terminal", "terminal 34816 of session 7", [3]int{8, 7, first}, [3]int{7, 7, first}, [3]int{1, 7, first}),
		Entry("that of the terminal of an agent that runs each command in a session of its own",
			"terminal 34817 of session 4", [3]int{8, 8, none}, [3]int{5, 8, none}, [3]int{4, 4, second}, [3]int{1, 4, second}),
		Entry("that in which an agent without a terminal runs", "session 5", [3]int{8, 8, none}, [3]int{5, 8, none}, [3]int{1, 5, none}, [3]int{0, 1, none}),
		Entry("its own, if there is no other", "session 1", [3]int{8, 1, none}, [3]int{1, 1, none}, [3]int{0, 1, none}),
	)

	It("is the same at each look", func() { Expect(ownprocess.ShellSession()).To(Equal(ownprocess.ShellSession())) })
})
