import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { eventsOf } from '../../test-kit/scenario/sample-result.ts';
import { suite } from '../../test-kit/suite.ts';
import { EventsFile } from './events-file.ts';

const events = suite('events file');
const directory = mkdtempSync(join(tmpdir(), 'svcctl-events-'));
events.after(() => rmSync(directory, { recursive: true, force: true }));

events('LANG-054 each event is one line of JSON, readable while the run goes on', () => {
  const path = join(directory, 'live.ndjson');
  const file = new EventsFile(path);
  const sent = eventsOf(
    { type: 'log', level: 'info', message: 'a\nb "ü" \u2028' },
    { type: 'wait', ms: 5, virtual: true },
  );
  sent.forEach((event, index) => {
    file.append(event);
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    assert.equal(
      lines.map((line) => JSON.parse(line)),
      sent.slice(0, index + 1),
    );
  });
  file.close();
  assert.is(file.fault, undefined);
});

events('LANG-054 a killed process leaves every event that happened', async () => {
  const path = join(directory, 'killed.ndjson');
  const program = join(directory, 'writer.cjs');
  await build({
    absWorkingDir: process.cwd(),
    stdin: {
      contents: `import { EventsFile } from './src/scenario/outputs/events-file.ts';
        const file = new EventsFile(process.argv[2]);
        for (let seq = 0; seq < 500; seq++) file.append({ seq, type: 'log', message: 'x'.repeat(1000) });
        process.kill(process.pid, 'SIGKILL');`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
  });
  const child = spawn(process.execPath, [program, path]);
  const signal = await new Promise((resolve) => child.once('exit', (_, name) => resolve(name)));
  assert.is(signal, 'SIGKILL');
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  assert.equal(
    lines.map((line) => JSON.parse(line).seq),
    Array.from({ length: 500 }, (_, seq) => seq),
  );
});

events('a full disk is told once, so that the run ends with its teardown', () => {
  const file = new EventsFile('/dev/full');
  const [event] = eventsOf({ type: 'wait', ms: 1, virtual: false });
  assert.throws(() => file.append(event!), /no space left on device/);
  const fault = file.fault;
  assert.is(fault?.code, 'output_failed');
  assert.match(fault?.message ?? '', /cannot write \/dev\/full: no space left/);
  file.append(event!);
  assert.is(file.fault, fault);
  file.close();
});

events.run();
