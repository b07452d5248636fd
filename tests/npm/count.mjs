// Reads one JSON string a line and writes the number of o200k_base tokens of each.
import { createInterface } from "node:readline";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

for await (const line of createInterface({ input: process.stdin })) console.log(countTokens(JSON.parse(line)));
