package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
)

// post is the floor for what stands between a host and a server elsewhere: it posts
// each line of its input with the standard library's client, one after the other,
// and writes what comes back as a line.
func post(url string) error {
	input := bufio.NewReaderSize(os.Stdin, chunk)
	for {
		line, err := input.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := exchange(url, line)
		if err != nil {
			return err
		}
		if len(answer) == 0 {
			continue
		}
		if _, err := os.Stdout.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

func exchange(url string, message []byte) ([]byte, error) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
