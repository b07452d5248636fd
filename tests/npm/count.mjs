// Reads a JSON string a line and writes how many tokens of o200k_base each has.
import { createInterface } from "node:readline";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

for await (const line of createInterface({ input: process.stdin })) console.log(countTokens(JSON.parse(line)));
