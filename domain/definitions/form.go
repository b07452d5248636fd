package definitions

import "slices"

// Form is how much of a tool is shown, in the words of the configuration
// (CONTRACT.md section 2, "definitions").
type Form string

// The forms, from the most detailed to the least, and the one that chooses.
const (
	// Full is the definition as the server sent it.
	Full Form = "full"
	// Lean is its name, description and input schema.
	Lean Form = "lean"
	// Compact is a signature and the first sentence of the description.
	Compact Form = "compact"
	// Names is the name and the first sentence of the description.
	Names Form = "names"
	// Auto is the most detailed of Lean, Compact and Names that fits a budget.
	Auto Form = "auto"
)

// DefaultBudget is how many bytes the tools of an answer may take with Auto and
// Names unless the configuration says otherwise. Hosts that cut answers short leave
// more than that whole: the strictest known takes 10 KiB of one piece and about 40 KB
// of all.
const DefaultBudget = 16 << 10

// Forms returns all forms, as a configuration may name them.
func Forms() []Form { return []Form{Full, Lean, Compact, Names, Auto} }

// Known reports whether there is such a form.
func (f Form) Known() bool { return slices.Contains(Forms(), f) }

// Short reports whether tools are strings by server in this form, not objects. Of
// Auto that is known only when it has chosen.
func (f Form) Short() bool { return f == Compact || f == Names }

// LeanMembers returns the members of a definition that Lean keeps, all that hosts
// show to a model.
func LeanMembers() []string { return []string{"name", "description", "inputSchema"} }

// Hint says once, for a model, what the signs of a form mean and how to see more; ""
// for a form that needs no hint.
func (f Form) Hint() string {
	switch f {
	case Compact:
		return "? is optional, = a default, … left out. ~ marks tools whose definition says more: " +
			`see it with open_toolbox and "tools": ["name", …] before you use them.`
	case Names:
		return `These are names only. See the definitions of the tools you need with open_toolbox and "tools": ["name", …].`
	}
	return ""
}
