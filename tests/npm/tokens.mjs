// Prints the cost of the tools of toolboxes in each form, in tokens of o200k_base.
// Reads the output of tests/measurements/tokens.
import { createInterface } from "node:readline";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const window = 200_000;
const rows = new Map();
const worst = {};
const sessions = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { toolbox, count, form, shown, estimate, text, session, way, texts, conversations } = JSON.parse(line);
  if (session) {
    if (!sessions.has(session)) sessions.set(session, {});
    sessions.get(session)[way] = Math.round(texts.reduce((sum, part) => sum + countTokens(part), 0) / conversations);
    continue;
  }
  const tokens = countTokens(text);
  worst[form] = Math.max(worst[form] ?? 0, Math.abs(estimate - tokens) / tokens);
  if (!rows.has(toolbox)) rows.set(toolbox, { count, forms: {} });
  rows.get(toolbox).forms[form] = { tokens, shown, estimate };
}

const forms = ["full", "lean", "compact", "names", "auto"];
const percent = (part, whole) => `${((100 * part) / whole).toFixed(part / whole < 0.1 ? 1 : 0)} %`;
console.log(`| Toolbox | Tools | ${forms.join(" | ")} | auto is | auto / full | of a 200k window: full, auto |`);
console.log(`|---|${"---:|".repeat(forms.length + 1)}---|---:|---:|`);
const print = (name, count, tokens, shown) =>
  console.log(
    `| ${name} | ${count} | ${forms.map((form) => tokens[form]).join(" | ")} | ${shown} | ` +
      `${percent(tokens.auto, tokens.full)} | ${percent(tokens.full, window)}, ${percent(tokens.auto, window)} |`,
  );
const sums = {};
for (const [name, { count, forms: measured }] of rows) {
  const group = name.includes(":") ? "all four" : "all five";
  sums[group] ??= { count: 0, tokens: Object.fromEntries(forms.map((form) => [form, 0])), last: name };
  sums[group].count += count;
  sums[group].last = name;
  for (const form of forms) sums[group].tokens[form] += measured[form].tokens;
}
for (const [name, { count, forms: measured }] of rows) {
  print(name, count, Object.fromEntries(forms.map((form) => [form, measured[form].tokens])), measured.auto.shown);
  for (const [group, { count, tokens, last }] of Object.entries(sums)) if (last === name) print(`**${group}**`, count, tokens, "");
}
const off = forms.map((form) => `${form} ${percent(worst[form], 1)}`).join(", ");
console.log(`\nBytes / 4.5 differs from the tokenizer by at most: ${off}.`);

console.log("\nDefinitions that a model reads in a session over all five:\n");
console.log("| Session | full | auto | find_tool | find_tool / auto |");
console.log("|---|---:|---:|---:|---:|");
for (const [name, { full, auto, find_tool: found }] of sessions)
  console.log(`| ${name} | ${full} | ${auto} | ${found} | ${percent(found, auto)} |`);

console.log("\nAll that a model reads for its tools in such a session:\n");
console.log("| Session | every server in the host | two tools | with find_tool | skills |");
console.log("|---|---:|---:|---:|---:|");
for (const [name, ways] of sessions) console.log(`| ${name} | ${ways.direct} | ${ways["two tools"]} | ${ways["with find_tool"]} | ${ways.skills} |`);
