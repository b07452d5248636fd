package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// fakePins is a lock in memory.
type fakePins struct {
	mu    sync.Mutex
	lock  *domain.Lock
	err   error
	saved []domain.Lock
	// approval is the id of the last approval, and approved its lock.
	approval string
	approved *domain.Lock
}

// approve puts a lock that the user approved.
func (p *fakePins) approve(lock *domain.Lock) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lock, p.err, p.approved = lock, nil, lock
	p.approval += "+"
}

func (p *fakePins) Approval() (id string, ofLock bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.approval, p.approved != nil && p.approved == p.lock
}

func (p *fakePins) Lock() (*domain.Lock, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lock, p.err
}

func (p *fakePins) ChangeFrom(_ *domain.Lock, _ error, change func() error) error { return change() }

func (p *fakePins) Save(lock domain.Lock) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saved = append(p.saved, lock)
	return p.err
}

// put replaces the lock.
func (p *fakePins) put(lock *domain.Lock, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lock, p.err = lock, err
}

// fakeDefinitions ignores white space in definitions.
type fakeDefinitions struct{}

func (fakeDefinitions) Pin(tool domain.ToolInfo, scope domain.PinScope) domain.Pin {
	text := strings.ReplaceAll(string(tool.Definition), " ", "")
	if scope == domain.PinSchema {
		text = tool.Name
	}
	return domain.Pin{Digest: text, Definition: json.RawMessage(text)}
}

func (fakeDefinitions) Reduce(definition json.RawMessage, _ domain.PinScope) json.RawMessage {
	return definition
}

// Hints counts a definition with the word "harmless" as one of a tool that only reads, too.
func (fakeDefinitions) Hints(pin domain.Pin) domain.Hints {
	says := func(text string) bool { return strings.Contains(string(pin.Definition), text) }
	return domain.Hints{ReadOnly: says("harmless") || says(`"readOnlyHint":true`), NotDestructive: says(`"destructiveHint":false`)}
}

func (fakeDefinitions) Changes(before, after domain.Pin) []domain.DefinitionChange {
	if before.Digest == after.Digest {
		return nil
	}
	return []domain.DefinitionChange{{Member: "description"}, {Member: "inputSchema"}}
}

// usePins makes a workbench use a lock.
func usePins(w *workbench, policy domain.PinPolicy, pins ports.Pins) {
	w.wire(pinning.New(policy, pins, fakeDefinitions{}), nil)
}

// lockOf returns a lock with tools of the server "files" in the toolbox "dev", in the
// form of describedTool.
func lockOf(tools ...string) *domain.Lock {
	files := domain.LockedServer{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Instructions: []string{""}}
	for _, tool := range tools {
		files.Tools = append(files.Tools, lockedAs(tool))
	}
	domain.SortTools(files.Tools)
	return &domain.Lock{Servers: []domain.LockedServer{files}}
}

// lockedAs returns a locked tool with one or two definitions: "name: description".
func lockedAs(definitions ...string) domain.LockedTool {
	locked := domain.LockedTool{Name: describedTool(definitions[0]).Name}
	for _, definition := range definitions {
		locked.Pins = append(locked.Pins, fakeDefinitions{}.Pin(describedTool(definition), domain.PinDefinition))
	}
	return locked
}

// describedTool returns the tool that "name" or "name: description" describes.
func describedTool(tool string) domain.ToolInfo {
	name, description, _ := strings.Cut(tool, ": ")
	definition, err := json.Marshal(map[string]string{"name": name, "description": description})
	Expect(err).NotTo(HaveOccurred())
	return domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: definition}
}

// lists makes the server list such tools.
func (f *fakeServer) lists(tools ...string) {
	f.list.Tools = nil
	for _, tool := range tools {
		f.list.Tools = append(f.list.Tools, describedTool(tool))
	}
}

// shown opens the toolbox and returns the tools and warnings of the server "files".
func (w *workbench) shown() (names []string, warnings []domain.Warning) {
	opened := w.opens("dev")
	return domain.ToolList{Tools: opened.Servers[0].Tools}.Names(), append(opened.Warnings, opened.Servers[0].Warnings...)
}

// fakePrompts are the prompts of a fake server.
type fakePrompts struct {
	mu       sync.Mutex
	offered  domain.PromptList
	refusal  error         // of listing
	takes    time.Duration // the time that a listing takes
	listings int
}

// offer makes the server list prompts of these names.
func (f *fakePrompts) offer(names ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered = domain.PromptList{}
	for _, name := range names {
		f.offered.Prompts = append(f.offered.Prompts, domain.Prompt{
			Name: name, Definition: json.RawMessage(`{"name":` + strconv.Quote(name) + `}`),
		})
	}
}

// leaveOut makes listings report something that was left out.
func (f *fakePrompts) leaveOut(why ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.offered.LeftOut = why
}

// refuse makes listings fail, or succeed for nil.
func (f *fakePrompts) refuse(refusal error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refusal = refusal
}

func (f *fakePrompts) list(ctx context.Context, s *fakeSession) (domain.PromptList, error) {
	f.mu.Lock()
	f.listings++
	offered, refusal, takes := f.offered, f.refusal, f.takes
	f.mu.Unlock()
	select {
	case <-spec.After(takes):
	case <-s.done:
		return domain.PromptList{}, s.gone()
	case <-ctx.Done():
		return domain.PromptList{}, ctx.Err()
	}
	return offered, refusal
}

func (f *fakePrompts) listed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listings
}

// fakeUser is the user of a host, whose answers specs decide.
type fakeUser struct {
	// cannot says that the host shows no forms.
	cannot bool
	// hears is called with each question before it is answered, unless it is nil.
	hears func(*askedQuestion)
	// decides answers at once, nil leaves questions open.
	decides func(domain.ConfirmationQuestion) domain.ConfirmationAnswer

	mu    sync.Mutex
	asked []*askedQuestion
}

// askedQuestion is a question that the user was asked.
type askedQuestion struct {
	domain.ConfirmationQuestion
	ctx   context.Context //nolint:containedctx // of the question, which specs watch
	reply func(domain.ConfirmationAnswer)

	mu      sync.Mutex
	replied bool
	// definition is the definition of the tool at that time, if the spec records it.
	definition string
}

// decidedUser returns a user who always gives this answer.
func decidedUser(answer domain.ConfirmationAnswer) *fakeUser {
	return &fakeUser{decides: func(domain.ConfirmationQuestion) domain.ConfirmationAnswer { return answer }}
}

// CanConfirm implements ports.Confirmer.
func (p *fakeUser) CanConfirm() bool { return !p.cannot }

// Confirm implements ports.Confirmer.
func (p *fakeUser) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	q := &askedQuestion{ConfirmationQuestion: question, ctx: ctx, reply: reply}
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.hears != nil {
		p.hears(q)
	}
	context.AfterFunc(ctx, func() { q.answer(domain.ConfirmationWithdrawn) })
	if p.decides != nil {
		q.answer(p.decides(question))
	}
}

// answer answers a question, but only once, as a host does.
func (q *askedQuestion) answer(answer domain.ConfirmationAnswer) {
	q.mu.Lock()
	replied := q.replied
	q.replied = true
	q.mu.Unlock()
	if !replied {
		q.reply(answer)
	}
}

// isOpen reports whether the question still waits for an answer.
func (q *askedQuestion) isOpen() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.replied
}

// questions returns all questions so far.
func (p *fakeUser) questions() []*askedQuestion {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// question returns the question with that number, once there are count of them.
func (p *fakeUser) question(number, count int) *askedQuestion {
	questions := p.questions()
	Expect(questions).To(HaveLen(count))
	return questions[number-1]
}

// capableHost is a fake host that declares all capabilities.
type capableHost struct{ fakeHost }

func (*capableHost) Capabilities() json.RawMessage { return json.RawMessage("{full}") }

var inspectingHosts = application.InspectingHosts{Full: &capableHost{}, Bare: &fakeHost{}}

// fakePackages is a registry in memory, with the packages that are installed from it. A
// server's launcher fetches the package in its setting "fetch": "a@^1".
type fakePackages struct {
	mu        sync.Mutex
	newest    map[string]string // by the request
	scripted  []string
	changes   []domain.PackageChange // of every two lock files
	failures  map[string]error       // of resolving and installing, by "resolve" and "install"
	installed map[string]bool        // by digest
	asked     []string
}

func newFakePackages() *fakePackages {
	return &fakePackages{newest: map[string]string{}, failures: map[string]error{}, installed: map[string]bool{}}
}

func (p *fakePackages) note(what string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
	slices.Sort(p.asked)
	kind, _, _ := strings.Cut(what, " ")
	return p.failures[kind]
}

func (p *fakePackages) Request(server domain.Server) (domain.PackageRequest, bool, error) {
	var settings struct {
		Fetch   string
		Scripts bool
	}
	_ = json.Unmarshal(server.Settings, &settings) // the settings of other specs are no objects
	name, _, _ := strings.Cut(settings.Fetch, "@")
	if name == "image" {
		return domain.PackageRequest{}, true, errors.New("images are not pinned here")
	}
	return domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: settings.Fetch, InstallScripts: settings.Scripts}, name != "", nil
}

func (p *fakePackages) Resolve(_ context.Context, _ domain.Server, request domain.PackageRequest) (domain.ResolvedPackage, error) {
	if err := p.note("resolve " + request.Spec); err != nil {
		return domain.ResolvedPackage{}, err
	}
	pin := pinOf(request.Spec, p.newest[request.Spec])
	return domain.ResolvedPackage{Version: pin.Version, LockFile: []byte("lock of " + pin.String()), Digest: pin.LockDigest, Scripted: p.scripted}, nil
}

func (p *fakePackages) Changes(before, after []byte) []domain.PackageChange {
	if string(before) == string(after) {
		return nil
	}
	return p.changes
}

func (p *fakePackages) IsInstalled(pin domain.PackagePin) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.installed[pin.LockDigest]
}

func (p *fakePackages) Install(_ context.Context, _ domain.Server, pin domain.PackagePin, lockFile []byte) error {
	if want := "lock of " + pin.String(); string(lockFile) != want {
		return fmt.Errorf("the lock file is %q and not %q", lockFile, want)
	}
	if err := p.note("install " + pin.String()); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.installed[pin.LockDigest] = true
	return nil
}

func (p *fakePackages) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	server.Settings = json.RawMessage(`{"pinned":"` + pin.String() + `"}`)
	return server, nil
}

// pinOf returns the pin of a version for a request.
func pinOf(spec, version string) domain.PackagePin {
	name, _, _ := strings.Cut(spec, "@")
	return domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: spec},
		Version:        version, LockDigest: "digest of " + name + "@" + version,
	}
}

// fakePackageLocks are lock files in memory.
type fakePackageLocks struct {
	mu      sync.Mutex
	files   map[domain.ServerID]string
	failure error // of storing
}

func newFakePackageLocks() *fakePackageLocks {
	return &fakePackageLocks{files: map[domain.ServerID]string{}}
}

func (l *fakePackageLocks) PackageLock(server domain.ServerID, _ domain.PackagePin) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, ok := l.files[server]
	if !ok {
		return nil, &domain.LockBrokenError{Path: "p", Reason: "it does not exist"}
	}
	return []byte(text), nil
}

func (l *fakePackageLocks) SavePackageLock(server domain.ServerID, lockFile []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil {
		l.files[server] = string(lockFile)
	}
	return l.failure
}

func (l *fakePackageLocks) RemovePackageLocks(before, lock domain.Lock) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, pinned := range before.Packages {
		if _, isPinned := lock.Package(pinned.ID); !isPinned {
			delete(l.files, pinned.ID)
		}
	}
	return nil
}

// versions is a connector to servers that differ by version. It has a change of the
// server before its start, by its settings.
type versions struct {
	fakeServers
	become map[string]func(*fakeServer)
}

func (v versions) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	if become := v.become[string(server.Settings)]; become != nil {
		become(v.fakeServers[server.ID])
	}
	return v.fakeServers.Connect(ctx, server, host, policy)
}
