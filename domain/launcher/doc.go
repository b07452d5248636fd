// Package launcher parses the command lines of servers: which program they start, and which package
// a launcher such as npx fetches for it. Start at [Read]. It examines only the words.
//
// npx and npm are parsed as their source does it (bin/npx-cli.js and libnpmexec of npm 11). For the
// others see
// https://docs.astral.sh/uv/reference/cli/#uv-tool-run and
// https://docs.docker.com/reference/cli/docker/container/run/.
package launcher
