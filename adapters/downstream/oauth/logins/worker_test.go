package logins_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// workerVariable makes this program a process that refreshes logins. It holds the folder
// of the logins and the address of the token endpoint, a line each.
const workerVariable = "LOGINS_WORKER"

func TestMain(m *testing.M) {
	if place := os.Getenv(workerVariable); place != "" {
		directory, endpoint, _ := strings.Cut(place, "\n")
		work(directory, endpoint, os.Stdin, os.Stdout) //nolint:forbidigo // this process is a worker, whose output the spec reads
		return
	}
	m.Run()
}

// work reads access tokens and refreshes the login that holds one. At each step it says
// so and waits for a line, or for its end.
func work(directory, endpoint string, from io.Reader, to io.Writer) {
	in := bufio.NewScanner(from)
	say := func(line string) {
		if _, err := io.WriteString(to, line+"\n"); err != nil {
			panic(err)
		}
	}
	last := ""
	at := func(name string) {
		last = name
		say("at " + name)
		in.Scan() // its end is met below
	}
	logins.OnStep(at)
	logins.OnReplace(func(path string, text []byte) {
		// What is left when a process is killed while it writes.
		half := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".half")
		if err := os.WriteFile(half, text[:len(text)/2], 0o600); err != nil {
			panic(err)
		}
		if last == "read" {
			at("writing the note")
		} else {
			at("writing the tokens")
		}
		if err := os.Remove(half); err != nil {
			panic(err)
		}
	})
	store := logins.New(directory, slog.New(slog.DiscardHandler), func(string) {})
	for in.Scan() {
		held := in.Text()
		last = ""
		record, err := store.Refresh(context.Background(), team, holds(held), func(ctx context.Context, record logins.Record) (logins.Tokens, error) {
			return refreshOverHTTP(ctx, endpoint, record, func() { at("sent") })
		})
		switch ended, isEnded := errors.AsType[*logins.EndedError](err); {
		case isEnded:
			say("ended " + ended.Why)
		case err != nil:
			say("failed " + err.Error())
		default:
			say("has " + record.AccessToken)
		}
	}
}

// refreshOverHTTP sends a refresh token to a token endpoint. It calls sent when the server
// answered, before it reads the answer.
func refreshOverHTTP(ctx context.Context, endpoint string, record logins.Record, sent func()) (logins.Tokens, error) {
	form := url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {record.RefreshToken},
		"client_id": {record.ClientID}, "resource": {record.Resource},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return logins.Tokens{}, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrUnanswered, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read from
	sent()
	var answer struct {
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		Lifetime     int    `json:"expires_in"`
		Error        string `json:"error"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	switch {
	case err != nil:
		return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrUnanswered, err)
	case answer.Error == "invalid_grant":
		return logins.Tokens{}, logins.ErrRefused
	case answer.Error != "":
		return logins.Tokens{}, errors.New(answer.Error)
	}
	return logins.Tokens{
		AccessToken: answer.AccessToken, RefreshToken: answer.RefreshToken,
		Expiry: time.Now().Add(time.Duration(answer.Lifetime) * time.Second),
	}, nil
}
