// Package launcher reads the command lines of servers: which program they start, and which package
// a launcher such as npx fetches for it. Start at [Read]. It reads words and looks nothing up.
//
// How npx and npm tell their own options from those of the server is read from their code
// (bin/npx-cli.js and libnpmexec of npm 11). For the others see
// https://docs.astral.sh/uv/reference/cli/#uv-tool-run and
// https://docs.docker.com/reference/cli/docker/container/run/.
package launcher
