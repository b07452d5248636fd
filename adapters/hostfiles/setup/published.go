package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/review"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/masking"
)

// PublishedServer is a server of the registry as the words and flags of add name it.
type PublishedServer struct {
	// Name is the whole name or its last part, and Version "" for the newest.
	Name, Version string
	// File is the path of a server.json, which describes the server in place of the registry; "" for none.
	File string
	// Answers are the words NAME=value.
	Answers []string
	Choice  registry.Choice
	// As is the name of the server in the configuration, "" for the last part of Name.
	As                          string
	Toolbox, Description, Scope string
	// AllowOptions accepts what needs care without a question.
	AllowOptions bool
	// Added is called with the file and the server after it was written; nil for nothing more to do.
	Added func(path string, id domain.ServerID) error
}

// publishedResult is the JSON that add and update print about a server of the registry.
type publishedResult struct {
	Registry string `json:"registry"`
	Version  string `json:"version"`
	// Runs is the command line, or the address.
	Runs      string           `json:"runs"`
	Package   string           `json:"package,omitempty"`
	Source    string           `json:"source,omitempty"`
	Proof     string           `json:"proof"`
	Status    string           `json:"status"`
	Message   string           `json:"statusMessage,omitempty"`
	Inputs    []registry.Input `json:"inputs"`
	NeedsCare []string         `json:"needsCare"`
}

// adoption is a server of the registry on its way into the configuration.
type adoption struct {
	*Editor
	own     *ownFile
	from    string // the origin of the registry, "" for a file
	server  registry.Server
	way     registry.Way
	inputs  []registry.Input
	answers registry.Answers
	// secrets are values that were typed, by the names of their variables. They are in no text.
	secrets storable
	name    string
	// id is the server that an update replaces, the zero value for a new one.
	id    domain.ServerID
	notes []string
	// taken are the variables of the user that inputs have without a word of theirs.
	taken []string
	// before are the settings that an update replaces, nil for a new server.
	before *setup.Settings
	// olderVariables and olderHeaders are the names that the older version has, for an update.
	olderVariables, olderHeaders []string
}

// AddPublished adds a server of the registry, after it showed what the server runs and asks for.
//
// Failures: those of ownFile.registry; *registry.Error; *registry.NotFoundError; *registry.NoWayError; *UsageError; those of
// Add.
func AddPublished(ctx context.Context, e *Editor, wish PublishedServer) error {
	own, configuration, err := e.openInScope(wish.Scope)
	if err != nil {
		return err
	}
	server, from, err := wish.find(ctx, own)
	if err != nil {
		return err
	}
	a, err := adopt(e, own, from, server, wish.Choice)
	instead := fmt.Sprintf("'mcp-workbench add %s' adds what is published under its name", domain.ShellWord(server.Name))
	switch {
	case err != nil && wish.File != "":
		return fmt.Errorf("%w; %s", err, instead)
	case err != nil:
		return err
	case wish.File != "" && a.way.Package.Version == "0.0.0":
		a.notes = append(a.notes, "a release replaces the version 0.0.0: "+instead)
	}
	if a.name = wish.As; a.name == "" {
		a.name = setup.PublishedName(server.Name)
	}
	if err := a.takeWords(wish.Answers); err != nil {
		return err
	}
	a.takeVariables()
	plan, err := a.previewPlan()
	if err != nil {
		return err
	}
	place, err := configuration.Add(setup.Server{Name: a.name, Settings: plan.Settings}, setup.Place{Toolbox: wish.Toolbox, Description: wish.Description})
	if err != nil {
		return err
	}
	a.show(plan, place.Toolbox+"/"+a.name)
	if plan, err = a.finalPlan(wish.AllowOptions); err != nil {
		return err
	}
	added := setup.Server{Name: a.name, Settings: plan.Settings, Notes: a.notes}
	edit, err := newAddition(e, own, added, place)
	if err != nil {
		return err
	}
	edit.asks, edit.result.Published = true, a.result(plan)
	if err := edit.write(fmt.Sprintf("Added %s/%s.", place.Toolbox, a.name)); err != nil || !edit.result.Written || wish.Added == nil {
		return err
	}
	return wish.Added(own.path, domain.ServerID{Toolbox: domain.ToolboxName(place.Toolbox), Server: domain.ServerName(a.name)})
}

// find returns the server, and the origin of the registry that has it.
func (w PublishedServer) find(ctx context.Context, own *ownFile) (server registry.Server, from string, err error) {
	if w.File != "" {
		server, err = readEntry(w.File)
		return server, "", err
	}
	asked, err := own.registry(ctx)
	if errors.Is(err, ErrNoRegistry) {
		word := domain.ShellWord(setup.PublishedName(w.Name))
		return server, "", &UsageError{fmt.Errorf("%w; add what it is: 'mcp-workbench add %s -- COMMAND ARGS…' or 'mcp-workbench add %s URL'", err, word, word)}
	}
	if err != nil {
		return server, "", err
	}
	defer asked.Close()
	server, err = findPublished(ctx, asked, w.Name, w.Version)
	return server, asked.Origin(), err
}

// findPublished returns a version of the server with a name, or with a name whose last part is unique.
func findPublished(ctx context.Context, asked *registry.Client, name, version string) (registry.Server, error) {
	if !strings.Contains(name, "/") {
		names, err := asked.Names(ctx, name)
		switch {
		case err != nil:
			return registry.Server{}, err
		case len(names) == 0:
			return registry.Server{}, &registry.NotFoundError{Name: name}
		case len(names) > 1:
			return registry.Server{}, &UsageError{fmt.Errorf("the registry has several servers %q; name one: %s", name, nameList(names))}
		}
		name = names[0]
	}
	server, err := asked.Version(ctx, name, version)
	if err == nil && server.Status.State == registry.Deleted {
		err = fmt.Errorf("%s %s was deleted from the registry: %s", server.Name, server.Version, domain.ReviewLine(server.Status.Message))
	}
	return server, err
}

// adopt returns the adoption of a server in the way that it can run here.
func adopt(e *Editor, own *ownFile, from string, server registry.Server, choice registry.Choice) (*adoption, error) {
	way, err := server.Way(runsHere(), choice)
	if err != nil {
		return nil, err
	}
	inputs, err := way.Inputs()
	if err != nil {
		return nil, fmt.Errorf("the entry of %s cannot be used: %w", server.Name, err)
	}
	return &adoption{
		Editor: e, own: own, from: from, server: server, way: way, inputs: inputs, answers: registry.Answers{}, secrets: storable{},
	}, nil
}

// variable returns the variable for the value of an input.
func (a *adoption) variable(input registry.Input) string {
	if input.Variable != "" {
		return input.Variable
	}
	return masking.VariableName(a.name + " " + input.Name)
}

// takeWords reads the words NAME=value.
//
// Decision: a secret in a word is refused, as that of --client-secret is, since other users can read command lines.
func (a *adoption) takeWords(words []string) error {
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		at := slices.IndexFunc(a.inputs, func(i registry.Input) bool { return i.Name == name })
		if at < 0 {
			var names []string
			for _, input := range a.inputs {
				names = append(names, input.Name)
			}
			return &UsageError{fmt.Errorf("%s asks for no %q%s", a.server.Name, name, asksFor(names))}
		}
		input := a.inputs[at]
		if (input.Secret || masking.LooksSecret(name, value)) && !strings.Contains(value, "${") {
			variable := a.variable(input)
			return &UsageError{fmt.Errorf("%s is a secret: other users can read command lines, so set a variable and write %s='${%s}' in single quotes",
				name, name, variable)}
		}
		value, err := absoluteAnswer(input, value)
		if err == nil {
			err = input.Check(value)
		}
		if err != nil {
			return &UsageError{err}
		}
		a.answers[name] = append(a.answers[name], value)
	}
	return nil
}

func asksFor(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", but for " + nameList(names)
}

// absoluteAnswer returns the answer to an input, which is absolute if it is the path of a file.
func absoluteAnswer(input registry.Input, answer string) (string, error) {
	if input.Format != "filepath" || answer == "" || strings.Contains(answer, "${") {
		return answer, nil
	}
	if launcher.IsHome(answer) {
		home, err := os.UserHomeDir()
		return filepath.Join(home, answer[1:]), err
	}
	return filepath.Abs(answer)
}

// takeVariables lets inputs that need an answer have those that the environment or the configuration has.
//
// Decision: the entry chose the names of the variables, so each of them needs care, with the servers that use it now.
func (a *adoption) takeVariables() {
	for _, input := range a.inputs {
		variable := a.variable(input)
		_, isSet := os.LookupEnv(variable)
		if input.IsMissing(a.answers) && (isSet || slices.Contains(a.own.elsewhere(), variable)) {
			a.answers[input.Name] = []string{"${" + variable + "}"}
			a.taken = append(a.taken, variable)
		}
	}
}

// missing returns the inputs that need an answer.
func (a *adoption) missing() []registry.Input {
	return slices.DeleteFunc(slices.Clone(a.inputs), func(i registry.Input) bool { return !i.IsMissing(a.answers) })
}

// reviewedPlan is a plan with its review.
type reviewedPlan struct {
	registry.Plan
	review review.Review
}

// previewPlan returns the plan with references in place of the answers that are missing.
func (a *adoption) previewPlan() (reviewedPlan, error) {
	answers := registry.Answers{}
	maps.Copy(answers, a.answers)
	for _, input := range a.missing() {
		answers[input.Name] = []string{"${" + a.variable(input) + "}"}
	}
	return a.plan(answers)
}

// plan returns the plan, with what an update changes beside the version.
func (a *adoption) plan(answers registry.Answers) (reviewedPlan, error) {
	plan, err := a.server.Plan(a.way, answers)
	if err != nil {
		return reviewedPlan{Plan: plan}, err
	}
	if a.from == "" {
		plan.Settings.From = nil // update has nothing to ask
	}
	after := plan.Settings
	if a.before != nil {
		after = a.merged(*a.before, after)
	}
	reviewed := a.own.reviewOf(a.id, a.before, &after, false)
	lines := reviewed.NeedsCare
	if a.before == nil {
		reviewed.Grants = slices.DeleteFunc(reviewed.Grants, func(grant review.Grant) bool {
			isTaken := slices.Contains(a.taken, grant.Variable)
			if isTaken {
				lines = append(lines, grant.Line)
			}
			return isTaken
		})
	}
	for _, line := range lines {
		option, _, _ := strings.Cut(line, " ")
		isKnown := func(care string) bool {
			return strings.HasPrefix(option, "-") && strings.HasPrefix(care, option+" ") || strings.HasSuffix(line, care)
		}
		if !slices.ContainsFunc(plan.NeedsCare, isKnown) {
			plan.NeedsCare = append(plan.NeedsCare, line)
		}
	}
	reviewed.NeedsCare = plan.NeedsCare
	return reviewedPlan{plan, reviewed}, nil
}

// finalPlan asks for what is missing, and returns the plan.
func (a *adoption) finalPlan(allowsOptions bool) (reviewedPlan, error) {
	if err := a.askMissing(); err != nil {
		return reviewedPlan{}, err
	}
	plan, err := a.plan(a.answers)
	if err != nil {
		return plan, err
	}
	if len(plan.NeedsCare) > 0 && a.Yes && !allowsOptions {
		hint := ""
		if len(a.taken) > 0 {
			hint = ", or NAME='${VARIABLE}' for a variable of yours"
		}
		return plan, &UsageError{fmt.Errorf("--yes alone does not accept what needs care (%s); --allow-options does%s", nameList(plan.NeedsCare), hint)}
	}
	a.notes = append(a.notes, hostfiles.DropOwnHeaders(plan.Settings.Headers)...)
	return plan, a.keepTyped()
}

// askMissing asks for the inputs that need an answer.
//
// Failures: *UsageError, which lists them, where there is no terminal to ask in.
func (a *adoption) askMissing() error {
	missing := a.missing()
	_, hasStore := findPasswordStore()
	if len(missing) > 0 && !a.asks() && !a.DryRun {
		lines := make([]string, len(missing))
		for i, input := range missing {
			lines[i] = strings.TrimSuffix(fmt.Sprintf("\n  %s (%s, or set %s): %s", input.Name, input.Place, a.variable(input), domain.ReviewLine(input.Description)), ": ")
		}
		return &UsageError{fmt.Errorf("%s needs values, and there is no terminal to ask in; write them as NAME=value:%s", a.server.Name, strings.Join(lines, ""))}
	}
	for _, input := range missing {
		variable := a.variable(input)
		reference := "${" + variable + "}"
		if a.DryRun || input.Secret && !hasStore {
			a.answers[input.Name] = []string{reference}
			a.notes = append(a.notes, fmt.Sprintf("%s is left to the environment: set %s where the host starts", input.Name, variable))
			continue
		}
		if err := a.ask(input, variable, reference); err != nil {
			return err
		}
	}
	return nil
}

// ask asks for an input until the answer is right. Repeated ones end with an empty answer.
func (a *adoption) ask(input registry.Input, variable, reference string) error {
	prompt := domain.ReviewLine(input.Name)
	if input.Description != "" {
		prompt += " (" + domain.ReviewLine(domain.OneLine(input.Description)) + ")"
	}
	if len(input.Choices) > 0 {
		prompt += " [" + nameList(input.Choices) + "]"
	}
	for {
		read := a.terminal.Ask
		if input.Secret {
			read = a.terminal.AskSecret
		}
		answer, err := read(prompt + ":")
		if err != nil {
			return err
		}
		if answer == "" && len(a.answers[input.Name]) > 0 {
			return nil
		}
		if answer, err = absoluteAnswer(input, answer); err == nil {
			err = input.Check(answer)
		}
		switch {
		case err != nil:
			a.say("%s", domain.ReviewLine(err.Error()))
			continue
		case answer == "":
			a.say("%s needs a value; Ctrl-C ends without one", input.Name)
			continue
		case (input.Secret || masking.LooksSecret(input.Name, answer)) && !strings.Contains(answer, "${"):
			a.secrets.add(a.own, variable, answer)
			answer = reference
		}
		a.answers[input.Name] = append(a.answers[input.Name], answer)
		if !input.IsRepeated || input.Secret {
			return nil
		}
		prompt = "Another one, or Enter"
	}
}

// keepTyped offers to keep the secrets that were typed in the password store. Those that are not kept are left to the
// environment: they are never written into the file.
func (a *adoption) keepTyped() error {
	err := a.keep(a.own, a.secrets)
	for variable := range a.secrets {
		if _, isKept := a.own.kept[variable]; !isKept {
			a.notes = append(a.notes, fmt.Sprintf("%s is not kept: set it where the host starts", variable))
		}
	}
	return err
}

// show prints what the user has to know before a yes. Texts of others are on one line, with escapes.
func (a *adoption) show(plan reviewedPlan, place string) {
	r := a.result(plan)
	a.line("%s %s: %s", r.Registry, r.Version, domain.OneLine(a.server.Description))
	withoutCare := plan.review
	withoutCare.NeedsCare = nil // it is the last that is read
	a.sayReview(withoutCare)
	if r.Source != "" {
		a.line("  fetched from: %s", r.Source)
	}
	a.line("  name: %s, as %s says", registry.Proof(a.server.Name), cmp.Or(a.from, "only the file"))
	if other := a.way.Package.OtherOwner(a.server.Name); other != "" {
		a.line("  note: the package is that of %s, which the name does not prove", other)
	}
	status := "not known"
	if r.Status != "" {
		status = strings.TrimSuffix(r.Status+": "+domain.OneLine(r.Message), ": ")
	}
	a.line("  status: %s", status)
	a.line("  goes to: %s in %s", place, a.own.path)
	optional := optionalOnly(r.Inputs)
	for _, input := range r.Inputs {
		if !slices.Contains(optional, input.Name) {
			a.line("  %s", inputLine(input))
		}
	}
	if len(optional) > 0 {
		a.line("  optional (--json describes them): %s", nameList(optional))
	}
	for _, care := range plan.NeedsCare {
		a.line("  needs care: %s", care)
	}
}

// line prints one line with texts of others.
func (a *adoption) line(format string, args ...any) {
	a.say("%s", domain.ReviewLine(fmt.Sprintf(format, args...)))
}

// inputLine describes an input on one line.
func inputLine(i registry.Input) string {
	kinds := []string{i.Place}
	if i.Secret {
		kinds = append(kinds, "secret")
	}
	if i.Required {
		kinds = append(kinds, "required")
	}
	if i.Default != "" {
		kinds = append(kinds, "default "+i.Default)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", i.Name, strings.Join(kinds, ", "), domain.OneLine(i.Description)), ": ")
}

func (a *adoption) result(plan reviewedPlan) *publishedResult {
	r := &publishedResult{
		Registry: a.server.Name, Version: a.server.Version, Runs: plan.review.Runs,
		Status: a.server.Status.State, Message: a.server.Status.Message, Inputs: append([]registry.Input{}, a.inputs...), NeedsCare: append([]string{}, plan.NeedsCare...),
	}
	if a.from != "" {
		r.Proof = registry.Proof(a.server.Name)
	}
	if a.way.Runtime != "" {
		r.Package, r.Source = a.way.Package.Target(), a.way.Package.Source()
	}
	return r
}
