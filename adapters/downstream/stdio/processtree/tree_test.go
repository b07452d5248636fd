package processtree_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// numbers returns the numbers of the processes, for short comparisons.
func numbers(list processtree.List) []int {
	var pids []int
	for _, process := range list {
		pids = append(pids, process.PID)
	}
	return pids
}

var _ = Describe("The tree of a program", func() {
	const ours, foreign = 7, 8 // sessions
	root := processtree.Process{PID: 100, Parent: 50, Group: 100, Session: ours, Started: 1000}
	child := processtree.Process{PID: 101, Parent: 100, Group: 100, Session: ours, Started: 1001}
	detached := processtree.Process{PID: 102, Parent: 101, Group: 102, Session: 102, Started: 1002}
	stranger := processtree.Process{PID: 60, Parent: 50, Group: 60, Session: ours, Started: 900}

	It("is the program, its group and whatever they started, in a session of its own or not", func() {
		list := processtree.List{detached, stranger, child, root}

		Expect(numbers(list.Tree(root))).To(ConsistOf(100, 101, 102))
	})

	It("is the rest of the group once the program itself is gone", func() {
		orphan := child
		orphan.Parent = 1

		Expect(numbers(processtree.List{stranger, orphan}.Tree(root))).To(ConsistOf(101))
	})

	It("leaves out ended processes, and keeps their descendants", func() {
		dead := child
		dead.Dead = true

		Expect(numbers(processtree.List{root, dead, detached}.Tree(root))).To(ConsistOf(100, 102))
	})

	DescribeTable("contains nothing of a later group with the same number",
		func(list ...processtree.Process) {
			Expect(processtree.List(list).Tree(root)).To(BeEmpty())
		},
		Entry("whose leader is running",
			processtree.Process{PID: 100, Parent: 1, Group: 100, Session: ours, Started: 5000},
			processtree.Process{PID: 103, Parent: 100, Group: 100, Session: ours, Started: 5001}),
		Entry("whose leader is gone, in another session",
			processtree.Process{PID: 103, Parent: 1, Group: 100, Session: foreign, Started: 5001}),
		Entry("whose member is older than the program",
			processtree.Process{PID: 103, Parent: 1, Group: 100, Session: ours, Started: 999}),
	)

	It("leaves out the group of a root that is not its leader", func() {
		member := detached
		member.Group = 100

		Expect(numbers(processtree.List{root, child, member}.Tree(member))).To(ConsistOf(102))
	})
})
