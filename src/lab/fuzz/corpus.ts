import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** All scenarios below a folder, sorted, and the examples that the language's own cases hold. */
export function readCorpus(scenarioDir: string): string[] {
  return readdirSync(scenarioDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.oql') || name.endsWith('.cql'))
    .sort()
    .map((name) => readFileSync(path.join(scenarioDir, name), 'utf8'));
}
