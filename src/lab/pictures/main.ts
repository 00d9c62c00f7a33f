import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PICTURES, RECORDINGS } from './pictures.ts';
import { record } from './record.ts';

/** `npm run pictures`: draws docs/pictures from the recordings; with `--record` it makes those anew, on a rig of twins. */
const TARGET = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

if (process.argv.includes('--record')) await record(RECORDINGS);
mkdirSync(TARGET, { recursive: true });
for (const [name, draw] of Object.entries(PICTURES)) {
  const path = join(TARGET, name);
  writeFileSync(path, draw());
  process.stdout.write(`${path}  ${Math.ceil(readFileSync(path).length / 1024)} kB\n`);
}
