package application_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// promptLife is a workbench with random toolboxes, and a model of the prompts that it
// lists. Names have "_" and characters that hosts refuse, so that prompts compete for
// names.
type promptLife struct {
	*dynamicWorkbench
	chance *rand.Rand
	boxes  []domain.Toolbox

	open   map[domain.ToolboxName]bool
	shown  map[domain.ServerID][]string // the prompts that each known server listed last
	owners map[string]domain.PromptIdentifier
}

var (
	promptBoxes   = []domain.ToolboxName{"a", "a__a", "dev", "ein Büro"}
	promptServers = []domain.ServerName{"a", "a_b", "a_b_c", "b", "ser ver", domain.ServerName(strings.Repeat("s", 70))}
	promptWords   = []string{"a", "b_a", "b_c_a", "c_a", "a_a", "_", "__a", "odd name", "odd.name", "odd\tname", "größe", "\x1b[31mred", strings.Repeat("x", 80)}
)

// some returns at least one of the values, in a random order.
func some[T any](chance *rand.Rand, values []T) []T {
	values = slices.Clone(values)
	chance.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values[:1+chance.IntN(len(values))]
}

func startPromptLife(t *testing.T, chance *rand.Rand) *promptLife {
	l := &promptLife{
		chance: chance, open: map[domain.ToolboxName]bool{}, shown: map[domain.ServerID][]string{}, owners: map[string]domain.PromptIdentifier{},
	}
	for _, name := range some(chance, promptBoxes) {
		l.boxes = append(l.boxes, toolbox(name, some(chance, promptServers)...))
	}
	l.dynamicWorkbench = startDynamic(t, l.boxes...)
	for id, server := range l.servers {
		server.declares = []string{"prompts"}
		server.prompts.offer(some(chance, promptWords)...)
		server.requests = func(request ports.Request, reply ports.Reply) {
			reply(ports.Answer{Result: []byte(string(id.Toolbox) + "|" + string(id.Server) + "|" + string(request.Params))}, nil)
		}
	}
	return l
}

// step does one random thing, after every server has been up for long.
func (l *promptLife) step() {
	time.Sleep(5 * time.Minute)
	toolbox := l.boxes[l.chance.IntN(len(l.boxes))]
	server := l.servers[toolbox.Servers[l.chance.IntN(len(toolbox.Servers))].ID]
	switch l.chance.IntN(6) {
	case 0, 1:
		l.opens(toolbox.Name)
		l.open[toolbox.Name] = true
	case 2:
		if l.open[toolbox.Name] {
			l.closes(toolbox.Name)
			delete(l.open, toolbox.Name)
			for _, closed := range toolbox.Servers {
				delete(l.shown, closed.ID)
			}
		}
	case 3:
		if live(server) > 0 {
			server.die()
		}
	case 4:
		var refusal error
		if l.chance.IntN(2) == 0 {
			refusal = errors.New("no list")
		}
		server.prompts.refuse(refusal)
	default:
		server.prompts.offer(some(l.chance, promptWords)...)
	}
	synctest.Wait()
}

// expected returns the prompts that the model lists: a name stays with its owner while
// that exists, and otherwise goes to the first prompt.
func (l *promptLife) expected() []domain.PromptIdentifier {
	var prompts []domain.PromptIdentifier
	for _, toolbox := range l.boxes {
		for _, server := range toolbox.Servers {
			fake := l.servers[server.ID]
			if live(fake) > 0 && fake.prompts.refusal == nil {
				l.shown[server.ID] = nil
				for _, prompt := range fake.prompts.offered.Prompts {
					l.shown[server.ID] = append(l.shown[server.ID], prompt.Name)
				}
			}
			for _, name := range l.shown[server.ID] {
				prompts = append(prompts, domain.PromptIdentifier{Server: server.ID, Prompt: name})
			}
		}
	}
	first := map[string]domain.PromptIdentifier{}
	there := map[domain.PromptIdentifier]bool{}
	for _, prompt := range prompts {
		there[prompt] = true
		if name := domain.RegisteredPromptName(prompt.Server, prompt.Prompt); first[name] == (domain.PromptIdentifier{}) {
			first[name] = prompt
		}
	}
	before := l.owners
	l.owners = map[string]domain.PromptIdentifier{}
	var listed []domain.PromptIdentifier
	for _, prompt := range prompts {
		name := domain.RegisteredPromptName(prompt.Server, prompt.Prompt)
		owner := before[name]
		if !there[owner] {
			owner = first[name]
		}
		if owner == prompt {
			l.owners[name] = prompt
			listed = append(listed, prompt)
		}
	}
	return listed
}

var _ = Describe("The prompts of random toolboxes", func() {
	legal := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

	It("have legal names, each for one prompt of one server", func() {
		seed := GinkgoRandomSeed()
		AddReportEntry("seed", seed)
		for i := range spec.Seeds() {
			spec.Bubble(func(t *testing.T) {
				l := startPromptLife(t, rand.New(rand.NewPCG(uint64(seed), uint64(i))))
				for range 25 {
					l.step()
					wanted := l.expected()

					list, err := l.prompts.ListPrompts(t.Context())

					Expect(err).NotTo(HaveOccurred())
					seen := map[string]bool{}
					var got []domain.PromptIdentifier
					for _, prompt := range list {
						if !legal.MatchString(prompt.Name) || seen[prompt.Name] {
							Fail("the name is not legal, or there twice: " + prompt.Name)
						}
						seen[prompt.Name] = true
						got = append(got, prompt.Prompt)
					}
					Expect(got).To(Equal(wanted))
					if len(list) == 0 {
						continue
					}
					chosen := list[l.chance.IntN(len(list))]
					received := l.get(chosen.Name)
					synctest.Wait()
					Expect(received.result()).To(Equal(string(chosen.Prompt.Server.Toolbox) + "|" + string(chosen.Prompt.Server.Server) + "|" + chosen.Prompt.Prompt))
				}
			})
		}
	})
})
