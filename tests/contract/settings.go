package contract

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/script"
)

func describeSettings(on *trial) {
	Context("given settings", func() {
		It("names each of their keys once", func() {
			names := keys.OfValue(on.harness.Transport().Settings()).Names()

			seen := map[string]bool{}
			for _, key := range names {
				Expect(key).NotTo(BeEmpty())
				Expect(seen).NotTo(HaveKey(key))
				seen[key] = true
			}
			for key := range membersOf(on.harness.Serve(script.Script{})) {
				Expect(names).To(ContainElement(key))
			}
		})

		It("finds nothing wrong in settings that reach a server", func() {
			Expect(on.harness.Transport().Check(on.harness.Serve(script.Script{}))).To(Succeed())
			Expect(on.harness.Transport().Check(on.harness.Unreachable())).To(Succeed())
		})

		It("finds nothing wrong in unexpanded variables", func() {
			settings := membersOf(on.harness.Serve(script.Script{}))
			for key, value := range settings {
				if strings.HasPrefix(string(value), `"`) {
					settings[key] = json.RawMessage(`"${NOT_EXPANDED}"`)
				}
			}
			raw, err := json.Marshal(settings)
			Expect(err).NotTo(HaveOccurred())

			Expect(on.harness.Transport().Check(raw)).To(Succeed())
			Expect(on.harness.Transport().Traits(raw)).NotTo(BeZero())
		})

		It("has the program or address as a trait", func() {
			for _, settings := range []json.RawMessage{on.harness.Serve(script.Script{}), on.harness.Unreachable()} {
				traits := on.harness.Transport().Traits(settings)

				Expect(traits.Address == "").NotTo(Equal(traits.Program.Command == ""), "one of both: %+v", traits)
				for name, value := range map[string]string{"command": traits.Program.Command, "url": traits.Address} {
					if written, ok := membersOf(settings)[name]; ok {
						Expect(written).To(MatchJSON(strconv.Quote(value)))
					}
				}
			}
		})

		It("has the effect of each key that weakens a protection as a trait", func() {
			for _, weaker := range []struct{ key, value, does string }{
				{"inheritEnv", `["A"]`, "Inherits"},
				{"inheritEnv", `"all"`, "InheritsAll"},
				{"inheritEnv", `true`, "InheritsAll"},
				{"inheritEnv", `false`, "InheritsLeast"},
				{"installScripts", `true`, "InstallScripts"},
				{"oauth", `false`, "Login.Off"},
				{"oauth", `{"issuer":"https://a.example"}`, "Login.Issuer"},
			} {
				settings := membersOf(on.harness.Serve(script.Script{}))
				if slices.Contains(keys.OfValue(on.harness.Transport().Settings()).Names(), weaker.key) {
					settings[weaker.key] = json.RawMessage(weaker.value)
					raw, err := json.Marshal(settings)
					Expect(err).NotTo(HaveOccurred())
					Expect(on.harness.Transport().Traits(raw)).To(HaveField(weaker.does, Not(BeZero())), "%s: %s", weaker.key, weaker.value)
				}
			}
		})

		It("reports every mistake with its key, what was found and what is wanted", func() {
			for _, wrong := range on.harness.Wrong() {
				err := on.harness.Transport().Check(json.RawMessage(wrong.Settings))

				Expect(err).To(MatchError(domain.ErrInvalidSetting), wrong.Because)
				var keys [][]string
				for _, problem := range problemsIn(err) {
					keys = append(keys, problem.Key)
					Expect(problem.Found).NotTo(BeEmpty(), wrong.Because)
					Expect(problem.Wanted).NotTo(BeEmpty(), wrong.Because)
				}
				Expect(keys).To(ConsistOf(wrong.Keys), wrong.Because)
			}
		})
	})
}

func membersOf(settings json.RawMessage) map[string]json.RawMessage {
	GinkgoHelper()
	var members map[string]json.RawMessage
	Expect(json.Unmarshal(settings, &members)).To(Succeed())
	return members
}

// problemsIn returns the setting errors that are joined in err, which must have no others.
func problemsIn(err error) []*domain.SettingError {
	GinkgoHelper()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var problems []*domain.SettingError
		for _, failure := range joined.Unwrap() {
			problems = append(problems, problemsIn(failure)...)
		}
		return problems
	}
	problem, ok := errors.AsType[*domain.SettingError](err)
	Expect(ok).To(BeTrue(), "another kind of error: %v", err)
	return []*domain.SettingError{problem}
}

func describeBounds(on *trial) {
	Context("when as many requests are under way as the server may have", func() {
		It("refuses more at once, and accepts another when one is answered", func() {
			server := on.serve(script.Script{Rules: []script.Rule{
				{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{on.await("go"), {Result: script.Text("waited")}}},
				script.Answer("read", script.Text("done")),
			}})
			server.Limits.InFlight = 3
			session := on.connect(server)
			calls := []*call{on.begin(session, "wait"), on.begin(session, "wait"), on.begin(session, "wait")}

			refused := on.begin(session, "read").end().err

			unavailable(refused)
			Expect(refused).To(MatchError(ContainSubstring("3 requests to the server are in flight")))
			Expect(session.Err()).NotTo(HaveOccurred())
			on.release("go")
			for _, call := range calls {
				Expect(call.result()).To(Equal(script.Text("waited")))
			}
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
		})
	})
}
