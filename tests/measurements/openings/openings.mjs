// Measures how long a host waits for servers: node openings.mjs PROGRAM ROUNDS. It starts published npm servers directly,
// below the workbench with each "start", and below two other gateways, in turn, and prints medians. It needs Linux for
// memory, and the packages of package.json.
import { spawn, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as SDKClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'

const [program, rounds] = [path.resolve(process.argv[2]), Number(process.argv[3])]
const here = path.dirname(fileURLToPath(import.meta.url))
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'openings-'))
const environment = { ...process.env, XDG_STATE_HOME: path.join(work, 'state') }
const script = (name, file, ...args) => ({ name, file: path.join(here, 'node_modules', name, file), args })
const servers = {
  everything: script('@modelcontextprotocol/server-everything', 'dist/index.js'),
  filesystem: script('@modelcontextprotocol/server-filesystem', 'dist/index.js', work),
  memory: script('@modelcontextprotocol/server-memory', 'dist/index.js'),
  thinking: script('@modelcontextprotocol/server-sequential-thinking', 'dist/index.js'),
  drawio: script('@drawio/mcp', 'src/index.js'),
  calc: script('@coo-quack/calc-mcp', 'dist/index.js'),
  playwright: script('@playwright/mcp', 'cli.js'),
  context7: script('@upstash/context7-mcp', 'dist/index.js'),
  chrome: script('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'),
  eslint: script('@eslint/mcp', 'src/mcp-cli.js'),
}
const version = name => JSON.parse(fs.readFileSync(path.join(here, 'node_modules', name, 'package.json'))).version
const entries = (count, npx) => Object.fromEntries(Object.entries(servers).slice(0, count).map(([key, s]) => [key,
  npx ? { command: 'npx', args: ['-y', `${s.name}@${version(s.name)}`, ...s.args] } : { command: process.execPath, args: [s.file, ...s.args] }]))

// configure writes the configuration of a workbench, in a folder of its own for its lock.
function configure(folder, count, npx, start) {
  fs.mkdirSync(path.join(work, folder), { recursive: true })
  const file = path.join(work, folder, 'workbench-config.json')
  fs.writeFileSync(file, JSON.stringify({ start, definitions: 'auto', toolboxes: { all: { mcpServers: entries(count, npx) } } }))
  return file
}

// Client speaks MCP with a program over its pipes.
class Client {
  constructor(command, args) {
    this.began = performance.now()
    this.process = spawn(command, args, { cwd: work, env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
    this.waiting = new Map()
    let text = ''
    this.process.stdout.on('data', data => {
      const lines = (text + data).split('\n')
      text = lines.pop()
      for (const line of lines) this.receive(line)
    })
  }
  receive(line) {
    let message
    try { message = JSON.parse(line) } catch { return }
    if (message.method !== undefined) {
      if (message.id !== undefined) this.send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown' } })
      return
    }
    this.waiting.get(message.id)?.(message)
  }
  send(message) { this.process.stdin.write(JSON.stringify(message) + '\n') }
  async request(method, params) {
    const id = this.waiting.size + 1
    const answer = new Promise(resolve => this.waiting.set(id, resolve))
    this.send({ jsonrpc: '2.0', id, method, params })
    return (await answer).result
  }
  async connect() {
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'openings', version: '1' } })
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  // call calls a tool, and fails unless its answer contains the text.
  async call(name, args, text) {
    const result = await this.request('tools/call', { name, arguments: args })
    if (!JSON.stringify(result ?? '').includes(text)) throw new Error(`${name} answered ${JSON.stringify(result)?.slice(0, 400)}`)
  }
  since() { return performance.now() - this.began }
  // below returns the number of processes below the program, and their memory in MiB.
  below() {
    const children = pid => {
      try {
        return fs.readdirSync(`/proc/${pid}/task`).flatMap(t => fs.readFileSync(`/proc/${pid}/task/${t}/children`, 'utf8').split(' ').filter(Boolean))
          .flatMap(child => [child, ...children(child)])
      } catch { return [] }
    }
    const all = children(this.process.pid)
    const memory = pid => { try { return Number(/Pss:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) } catch { return 0 } }
    return { processes: all.length, memory: all.reduce((sum, pid) => sum + memory(pid), 0) / 1024 }
  }
  async end() {
    const exited = new Promise(resolve => this.process.on('exit', resolve))
    this.process.stdin.end()
    const late = setTimeout(() => this.process.kill('SIGKILL'), 20000)
    await exited
    clearTimeout(late)
  }
}

async function direct(npx) {
  const { command, args } = entries(1, npx).everything
  const client = new Client(command, args)
  await client.connect()
  await client.request('tools/list', {})
  await client.call('echo', { message: 'hello' }, 'hello')
  const echo = client.since()
  await client.end()
  return { echo }
}

async function workbench(configuration) {
  const client = new Client(program, ['--config', configuration])
  await client.connect()
  const asked = performance.now()
  await client.call('open_toolbox', { toolbox: 'all' }, 'everything')
  const opening = performance.now() - asked
  const after = client.below()
  await client.call('use_tool', { tool: { toolbox: 'all', server: 'everything', tool: 'echo' }, arguments: { message: 'hello' } }, 'hello')
  const echo = client.since()
  await client.end()
  return { opening, echo, ...after }
}

async function modular(count) {
  const file = path.join(work, `modular${count}.json`)
  const described = Object.entries(entries(count, false)).map(([key, entry]) => [key, { description: key, ...entry }])
  fs.writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(described) }))
  const client = new Client(process.execPath, [path.join(here, 'node_modules/@kimuson/modular-mcp/dist/index.js'), file])
  await client.connect()
  const asked = performance.now()
  await client.call('get-modular-tools', { group: 'everything' }, 'echo')
  const opening = performance.now() - asked
  const after = client.below()
  await client.call('call-modular-tool', { group: 'everything', name: 'echo', args: { message: 'hello' } }, 'hello')
  const echo = client.since()
  await client.end()
  return { opening, echo, ...after }
}

// hub measures mcp-hub, which serves hosts over HTTP with SSE only. It has no opening.
async function hub(count) {
  const file = path.join(work, `hub${count}.json`)
  fs.writeFileSync(file, JSON.stringify({ mcpServers: entries(count, false) }))
  const port = String(20000 + Math.floor(Math.random() * 20000))
  const began = performance.now()
  const program = spawn(process.execPath, [path.join(here, 'node_modules/mcp-hub/dist/cli.js'), '--port', port, '--config', file], { env: environment, stdio: 'ignore' })
  const exited = new Promise(resolve => program.on('exit', resolve))
  for (;;) {
    const client = new SDKClient({ name: 'openings', version: '1' })
    try {
      await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
      const result = await client.callTool({ name: 'everything__echo', arguments: { message: 'hello' } })
      if (!JSON.stringify(result).includes('hello')) throw new Error('it is not ready')
      const echo = performance.now() - began
      await client.close()
      program.kill('SIGTERM')
      await exited
      return { echo }
    } catch { // it is not ready
      await client.close().catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1]

// measure runs the ways in turn, and returns the medians of each.
async function measure(ways) {
  const all = ways.map(() => ({}))
  for (let round = 0; round < rounds; round++) {
    for (const [i, way] of ways.entries()) {
      for (const [name, value] of Object.entries(await way.run())) (all[i][name] ??= []).push(value)
    }
  }
  return ways.map((way, i) => ({ ...way, ...Object.fromEntries(Object.entries(all[i]).map(([name, values]) => [name, median(values)])) }))
}

function row(count, way, base) {
  const figure = (value, digits = 0) => value === undefined ? '–' : value.toFixed(value < 20 && digits ? digits : 0)
  console.log(`| ${count} | ${way.name} | ${figure(way.opening, 1)} | ${figure(way.echo)} | ${(way.echo / base).toFixed(2)} | ${figure(way.processes)} | ${figure(way.memory)} |`)
}

async function table(count, form, prefix) {
  const npx = form !== 'node'
  const folder = `${form}${count}`
  const opening = start => () => workbench(configure(folder, count, npx, start))
  const file = configure(folder, count, npx, 'open')
  if (form === 'pinned') execFileSync(program, ['lock', '--packages', '--config', file], { env: environment, cwd: work, stdio: 'ignore' })
  await workbench(configure(folder, count, npx, 'lazy')) // the lists are known from here on
  const ways = [{ name: `${prefix}directly, one server`, run: () => direct(npx) }]
  for (const start of ['open', 'lazy', 'use']) ways.push({ name: `${prefix}\`${start}\``, run: opening(start) })
  if (form === 'node') {
    ways.push({ name: 'modular-mcp 0.0.5', run: () => modular(count) }, { name: 'mcp-hub 4.2.1', run: () => hub(count) })
  }
  const measured = await measure(ways)
  for (const way of measured) row(count, way, measured[0].echo)
}

console.log('| Servers | Started | Opening, ms | First answer, ms | of a direct start | Processes | MiB |\n|---:|---|---:|---:|---:|---:|---:|')
await table(10, 'node', '')
await table(3, 'npx', '`npx`, ')
await table(3, 'pinned', '`npx` with a lock, ')
fs.rmSync(work, { recursive: true, force: true })
