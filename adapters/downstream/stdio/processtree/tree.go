package processtree

import "slices"

// Process is a process as the operating system shows it at one moment.
type Process struct {
	PID, Parent, Group, Session int
	// Started tells processes apart that have the same number one after the other.
	// Its unit is the system's; a later process has a greater one.
	Started uint64
	// Dead is set for a process that ended and was not waited for.
	Dead bool
}

// Is reports whether both are the same process, seen at two moments.
func (p Process) Is(other Process) bool {
	return p.PID == other.PID && p.Started == other.Started
}

// List is a snapshot of processes.
type List []Process

// Living returns those that have not ended.
func (l List) Living() List {
	return slices.DeleteFunc(slices.Clone(l), func(p Process) bool { return p.Dead })
}

// Outside returns those that are not in the group.
func (l List) Outside(group int) List {
	return slices.DeleteFunc(slices.Clone(l), func(p Process) bool { return p.Group == group })
}

// Find returns the process of that number.
func (l List) Find(pid int) (Process, bool) {
	i := slices.IndexFunc(l, func(p Process) bool { return p.PID == pid })
	if i < 0 {
		return Process{}, false
	}
	return l[i], true
}

// Tree returns the living processes that belong to a program: those of the roots
// that still run, every process in the group that a root leads or led, and
// whatever any of them has started. A root that is gone leaves its group behind;
// processes of that number which are of another session, or older than the root,
// belong to a group that only has the same number.
func (l List) Tree(roots ...Process) List {
	var tree List
	in := map[int]bool{}
	for _, process := range l {
		if slices.ContainsFunc(roots, func(root Process) bool { return l.roots(root, process) }) {
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

// roots reports whether the process is the root, or a member of the group that
// the root leads or led.
func (l List) roots(root, process Process) bool {
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
