package processtree

import "slices"

// Process is a process as the operating system shows it at one moment.
type Process struct {
	PID, Parent, Group, Session int
	// Started is the start time in a unit of the system. It distinguishes a process
	// from a later one with the same PID, which has a greater value.
	Started uint64
	// Dead is set for a zombie: a process that ended but was not reaped.
	Dead bool
	// Mark is the mark that a program was started with (WithMark), "" for none. No snapshot
	// sets it.
	Mark string
}

// Is reports whether both are the same process, seen at different times.
func (p Process) Is(other Process) bool {
	return p.PID == other.PID && p.Started == other.Started
}

// List is a snapshot of processes.
type List []Process

// Living returns the processes that have not ended.
func (l List) Living() List {
	return slices.DeleteFunc(slices.Clone(l), func(p Process) bool { return p.Dead })
}

// Outside returns the processes that are not in the group.
func (l List) Outside(group int) List {
	return slices.DeleteFunc(slices.Clone(l), func(p Process) bool { return p.Group == group })
}

// Find returns the process with that PID.
func (l List) Find(pid int) (Process, bool) {
	i := slices.IndexFunc(l, func(p Process) bool { return p.PID == pid })
	if i < 0 {
		return Process{}, false
	}
	return l[i], true
}

// Tree returns the living processes that belong to the roots: the roots themselves,
// every process in a group that a root leads or led, and the descendants of all of
// these. A root that ended leaves its group behind. A group with the same number is
// another group if its processes are in another session or older than the root.
func (l List) Tree(roots ...Process) List {
	var tree List
	in := map[int]bool{}
	for _, process := range l {
		if slices.ContainsFunc(roots, func(root Process) bool { return l.startsTree(root, process) }) {
			in[process.PID] = true
			tree = append(tree, process)
		}
	}
	for i := 0; i < len(tree); i++ {
		for _, process := range l {
			if process.Parent == tree[i].PID && !in[process.PID] {
				in[process.PID] = true
				tree = append(tree, process)
			}
		}
	}
	return tree.Living()
}

// startsTree reports whether the process is the root, or a member of the group that
// the root leads or led.
func (l List) startsTree(root, process Process) bool {
	if process.Is(root) {
		return true
	}
	if process.Group != root.PID || root.Group != root.PID {
		return false
	}
	if leader, exists := l.Find(root.PID); exists {
		return leader.Is(root)
	}
	return process.Session == root.Session && process.Started >= root.Started
}
