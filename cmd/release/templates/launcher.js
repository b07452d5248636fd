#!/usr/bin/env node
// Starts the program in the package for this platform with the same input, output, signals and exit code.
"use strict";

const name = `@[[.Owner.Account]]/mcp-workbench-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "mcp-workbench.exe" : "mcp-workbench";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  process.stderr.write(
    `mcp-workbench: the package ${name} is not installed. Either there is none for this platform ` +
      "([[range $i, $p := .Platforms]][[if $i]], [[end]][[$p.Node]][[end]]), or npm left it out: " +
      "install again without --omit=optional and --no-optional, and not from a lock file of another platform.\n",
  );
  process.exit(1);
}

const child = require("child_process").spawn(program, process.argv.slice(2), { stdio: "inherit" });

// A terminal sends Ctrl-C and Ctrl-\ to the program itself, too. process.stdin is not used: Node would make
// the pipe non-blocking, and the program, which shares it, could not read it.
const terminal = [0, 1, 2].some(require("tty").isatty);
const pass = (signal) => child.kill(signal);
const ignore = () => {};
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR2"]) {
  if (process.platform === "win32" && (signal === "SIGQUIT" || signal === "SIGUSR2")) continue;
  process.on(signal, terminal && (signal === "SIGINT" || signal === "SIGQUIT") ? ignore : pass);
}
if (process.platform !== "win32") process.on("SIGUSR1", pass);

child.on("error", (error) => {
  process.stderr.write(`mcp-workbench: start ${program}: ${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
