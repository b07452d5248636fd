package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// fakeRunner prints texts after a while, and counts the runs.
type fakeRunner struct {
	prints string
	err    error
	after  time.Duration

	mu            sync.Mutex
	began, killed int
}

func (r *fakeRunner) Output(ctx context.Context, _ domain.Program, _ int64) ([]byte, error) {
	r.mu.Lock()
	r.began++
	r.mu.Unlock()
	select {
	case <-spec.After(r.after):
		return []byte(r.prints), r.err
	case <-ctx.Done():
		r.mu.Lock()
		r.killed++
		r.mu.Unlock()
		return nil, context.Cause(ctx)
	}
}

func (r *fakeRunner) runs() (began, killed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.began, r.killed
}

// fakeConnector records the servers that are connected to.
type fakeConnector struct {
	err error

	mu       sync.Mutex
	servers  []domain.Server
	policies []ports.ServerPolicy
}

func (c *fakeConnector) Connect(_ context.Context, server domain.Server, _ ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.servers, c.policies = append(c.servers, server), append(c.policies, policy)
	return nil, c.err
}

// refusals is a policy that counts refused logins.
type refusals struct{ number int }

func (*refusals) Withholds(string) bool { return false }

func (r *refusals) LoginRefused() { r.number++ }

var _ = Describe("A server with a secret from a command", func() {
	const placeholder = "${MARK:TOKEN}"
	server := domain.Server{
		Settings: json.RawMessage(`{"env":{"KEY":"x ` + placeholder + `"}}`),
		Traits: domain.Traits{
			Address: "https://host/" + placeholder,
			Program: domain.Program{Command: "c", Args: []string{"--" + placeholder}, Env: map[string]string{"KEY": "x " + placeholder}},
		},
		Secrets: domain.Secrets{{Value: "x " + placeholder, Shown: "***"}, {Value: placeholder, Shown: "${TOKEN}"}},
		SecretCommands: []domain.SecretCommand{
			{Variable: "TOKEN", Program: domain.Program{Command: "op"}, Placeholder: placeholder},
		},
		Limits: domain.DefaultLimits(),
	}
	var (
		runner  *fakeRunner
		next    *fakeConnector
		learned domain.Secrets
	)
	inBubble := func(body func(connector *application.PreparingConnector)) func() {
		return func() {
			runner, next, learned = &fakeRunner{prints: "a\"b\n\r\n", after: time.Second}, &fakeConnector{}, nil
			spec.Bubble(func(*testing.T) {
				var mu sync.Mutex
				body(application.NewPreparingConnector(next, application.NewSecretValues(runner, func(s domain.Secrets) {
					mu.Lock()
					defer mu.Unlock()
					learned = append(learned, s...)
				})))
			})
		}
	}
	background := context.Background()

	It("has the value in all its settings and secrets, without the last line end", inBubble(func(connector *application.PreparingConnector) {
		Expect(connector.Connect(background, server, nil, nil)).Error().NotTo(HaveOccurred())
		got := next.servers[0]
		Expect(got.Settings).To(MatchJSON(`{"env":{"KEY":"x a\"b\n"}}`))
		Expect(got.Traits.Address).To(Equal("https://host/a\"b\n"))
		Expect(got.Traits.Program.Args).To(HaveExactElements("--a\"b\n"))
		Expect(got.Traits.Program.Env).To(Equal(map[string]string{"KEY": "x a\"b\n"}))
		Expect(got.Secrets).To(ContainElements(domain.Secret{Value: "x a\"b\n", Shown: "***"}, domain.Secret{Value: "a\"b\n", Shown: "${TOKEN}"}))
		Expect(learned).To(Equal(got.Secrets))
		Expect(server.Traits.Program.Args).To(HaveExactElements("--"+placeholder), "it is unchanged itself")
		Expect(server.Traits.Program.Env).To(HaveKeyWithValue("KEY", "x "+placeholder))
	}))

	It("shares one run with servers that start meanwhile or later", inBubble(func(connector *application.PreparingConnector) {
		var starts sync.WaitGroup
		for range 5 {
			starts.Go(func() { _, _ = connector.Connect(background, server, nil, nil) })
		}
		starts.Wait()
		_, _ = connector.Connect(background, server, nil, nil)

		Expect(runner.runs()).To(Equal(1))
		Expect(next.servers).To(HaveLen(6))
	}))

	It("is not started if the command fails, and the command runs again the next time", inBubble(func(connector *application.PreparingConnector) {
		runner.err = errors.New("command 'op' ended with exit code 1")
		_, err := connector.Connect(background, server, nil, nil)
		Expect(err).To(MatchError(ContainSubstring("secret 'TOKEN': command 'op' ended with exit code 1")))
		Expect(next.servers).To(BeEmpty())

		runner.err = nil
		Expect(connector.Connect(background, server, nil, nil)).Error().NotTo(HaveOccurred())
		Expect(runner.runs()).To(Equal(2))
	}))

	It("is not started if the command takes longer than the limit", inBubble(func(connector *application.PreparingConnector) {
		runner.after = time.Hour
		began := time.Now()

		_, err := connector.Connect(background, server, nil, nil)

		Expect(err).To(MatchError(ContainSubstring("limits.secret is 10s")))
		Expect(time.Since(began)).To(Equal(10 * time.Second))
	}))

	It("ends the command once all callers gave up, and does not pass its failure on to later ones", inBubble(func(connector *application.PreparingConnector) {
		first, giveUpFirst := context.WithCancel(background)
		second, giveUpSecond := context.WithCancel(background)
		defer giveUpSecond()
		results := make(chan error, 2)
		for _, ctx := range []context.Context{first, second} {
			go func() {
				_, err := connector.Connect(ctx, server, nil, nil)
				results <- err
			}()
		}
		synctest.Wait()
		giveUpFirst()
		Expect(<-results).To(MatchError(context.Canceled))
		_, killed := runner.runs()
		Expect(killed).To(BeZero(), "another one waits for it")

		giveUpSecond()
		Expect(<-results).To(MatchError(context.Canceled))
		_, killed = runner.runs()
		Expect(killed).To(Equal(1))
		Expect(connector.Connect(background, server, nil, nil)).Error().NotTo(HaveOccurred())
	}))

	It("makes the command run again, once, after a login was refused", inBubble(func(connector *application.PreparingConnector) {
		told := &refusals{}
		_, _ = connector.Connect(background, server, nil, told)
		_, _ = connector.Connect(background, server, nil, told)
		next.policies[0].LoginRefused()
		runner.prints = "new"
		_, _ = connector.Connect(background, server, nil, told)
		next.policies[1].LoginRefused() // with the old value

		_, _ = connector.Connect(background, server, nil, told)

		Expect(told.number).To(Equal(2))
		began, _ := runner.runs()
		Expect(began).To(Equal(2))
		Expect(next.servers[3].Traits.Address).To(Equal("https://host/new"))
	}))

	DescribeTable("is not started if the command prints", func(prints, reason string) {
		inBubble(func(connector *application.PreparingConnector) {
			runner.prints = prints
			_, err := connector.Connect(background, server, nil, nil)
			Expect(err).To(MatchError(ContainSubstring("secret 'TOKEN': its command printed " + reason)))
		})()
	},
		Entry("nothing", "", "nothing"),
		Entry("a line end", "\n", "nothing"),
		Entry("a NUL character", "a\x00", "a NUL character"),
		Entry("bytes that are not text", "\xff", "something other than UTF-8"),
	)

	It("needs no command if its settings need none", inBubble(func(connector *application.PreparingConnector) {
		Expect(connector.Connect(background, domain.Server{Transport: "x"}, nil, nil)).Error().NotTo(HaveOccurred())
		began, _ := runner.runs()
		Expect(began).To(BeZero())
	}))
})
