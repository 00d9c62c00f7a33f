import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { breaches, importsOf, type SourceFile } from './floors.ts';
import { suite } from './suite.ts';

const test = suite('floors');
const src = fileURLToPath(new URL('../', import.meta.url));

function sources(): SourceFile[] {
  return (
    readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // This file is full of bad examples.
      .filter((file) => file !== fileURLToPath(import.meta.url))
      .map((file) => ({ path: relative(src, file), text: readFileSync(file, 'utf8') }))
  );
}

test('the house keeps its order', () => {
  const files = sources();
  assert.ok(files.length > 20, 'the sources were not found');
  assert.is(breaches(files).join('\n'), '');
});

const kept: [path: string, text: string][] = [
  ['rig/pump.ts', "import { Driver } from '../devices/dri0050/driver.ts';"],
  ['scenario/run/run.ts', "import type { Rig } from '../../rig/rig.ts';"],
  ['transports/serial/port.ts', "import { SerialPort } from 'serialport';"],
  ['transports/serial/port.test.ts', "import * as pty from '@lydell/node-pty';"],
  ['bench/pty/pty.ts', "const pty = await import('@lydell/node-pty');"],
  ['devices/dfr1184/driver.ts', "import { ReadlineParser } from '@serialport/parser-readline';"],
  ['devices/dri0050/driver.ts', "import { Line } from '../modbus-rtu/line.ts';"],
  ['devices/dri0050/driver.ts', "import { DeviceError } from '../device-error.ts';"],
  ['scenario/perform-run.ts', "import { rehearse } from './rehearse/rehearse.ts';"],
  ['scenario/rehearse/dry-rig.ts', "import { read } from '../run/readings.ts';"],
  ['scenario/run/loops.test.ts', "import { Interpreter } from '../interpreter.ts';"],
  ['services/bridge/main.ts', "import { x } from './routes/x.ts';"],
  ['services/window/main.ts', "import { find } from '../../window/find.ts';"],
  ['cli/run/run.ts', "import { page } from '../../web/page.ts';"],
  ['window/x.test.ts', "import { suite } from '../test-kit/suite.ts';"],
  ['rig/x.test.ts', "import { day } from '../lab/x.ts';"],
  ['lab/fuzz/main.ts', "import { run } from '../../scenario/x.ts';"],
  ['lib/config/types.ts', "export interface Address {\n  type: 'usb';\n}"],
  ['devices/modbus-io/driver.ts', "const device = 'modbus-io';"],
  ['lib/config/line.test.ts', "const line = 'plugins.modbus-io';"],
  ['lib/config/paths.ts', "const home = '/home/rig';"],
];
for (const [path, text] of kept) {
  test(`in order: ${path}: ${text}`, () => assert.equal(breaches([{ path, text }]), []));
}

const broken: [path: string, text: string, says: RegExp][] = [
  ['lib/clock/clock.ts', "import { x } from '../../rig/x.ts';", /lib\/ lies below rig\//],
  ['lib/config/connection.ts', "const UNIT_IDS = { 'pump-motor': 50 };", /names pump-motor/],
  ['transports/serial/port.ts', '/** Of valve-1 to valve-8. */', /names valve-1/],
  ['devices/tic/twin.ts', "export { x } from '../../bench/x.ts';", /devices\/ lies below bench\//],
  ['rig/rig.ts', "const x = await import('../services/bridge/main.ts');", /rig\/ lies below services\//],
  ['rig/rig.ts', "import type {\n  A,\n  B,\n} from '../scenario/x.ts';", /rig\/ lies below scenario\//],
  ['cli/x.ts', "import { suite } from '../test-kit/suite.ts';", /cli\/ lies below test-kit\//],
  ['scenario/x.ts', "import { run } from '../lab/x.ts';", /scenario\/ lies below lab\//],
  ['rig/rig.ts', "import '../cli/x.ts';", /rig\/ lies below cli\//],
  ['scenario/x.ts', "import { x } from '../window/x.ts';", /scenario\/ does not know window\//],
  ['window/x.ts', "import { x } from '../rig/x.ts';", /window\/ stands on lib\/ alone/],
  ['scenario/run/x.ts', "import { x } from '../rehearse/x.ts';", /the judge knows no rehearsal/],
  ['scenario/commands/x.ts', "import type { X } from '../rehearse/x.ts';", /knows no rehearsal/],
  ['scenario/rig/http/x.ts', "import { x } from '../../rehearse/x.ts';", /knows no rehearsal/],
  ['scenario/run/x.ts', "import { performRun } from '../perform-run.ts';", /knows no rehearsal/],
  ['scenario/run/x.ts', "const x = await import('../interpreter.ts');", /knows no rehearsal/],
  ['services/bench/x.ts', "import { x } from '../bridge/x.ts';", /services\/ rooms do not know each other/],
  ['devices/tic/x.ts', "import { x } from '../dri0050/x.ts';", /devices\/ rooms do not know each other/],
  ['rig/x.ts', "import { SerialPort } from 'serialport';", /only transports\/ touches it/],
  ['devices/tic/x.ts', "const usb = require('usb');", /only transports\/ touches it/],
  ['services/adc/x.ts', "import { HIDAsync } from 'node-hid';", /only transports\/ touches it/],
  ['services/adc/x.ts', "import i2c from 'i2c-bus';", /only transports\/ touches it/],
  ['transports/x.ts', "import { spawn } from '@lydell/node-pty';", /only bench\/ touches it/],
  ['lib/x.ts', "import pkg from '../../package.json';", /outside of src/],
  ['lib/x.test.ts', `readFileSync('../../..${'/shared/'}spec/x.md');`, /reaches outside of the project/],
  ['lib/x.ts', `const root = '${'/'}work/main';`, /names a path of one machine/],
  ['lib/x.ts', `const root = "${'/'}home/anna/rig";`, /names a path of one machine/],
  ['lib/utils.ts', '', /has a name that says nothing/],
  ['lib/helpers/x.ts', '', /has a name that says nothing/],
  ['extras/x.ts', '', /outside of the floors/],
];
for (const [path, text, says] of broken) {
  test(`out of order: ${path}: ${text}`, () => {
    const found = breaches([{ path, text }]);
    assert.is(found.length, 1, found.join('\n'));
    assert.match(found[0]!, says);
  });
}

test('finds every kind of import and none in a comment', () => {
  const text = [
    "import a from './a.ts';",
    "import { b1,\n  b2 } from './b.ts';",
    "import './c.ts';",
    "export * from './d.ts';",
    "const e = await import('./e.ts');",
    "const f = require('./f.cjs');",
    "// import g from './g.ts';",
    " * @example import h from './h.ts';",
    'import type { I } from "./i.ts";',
  ].join('\n');
  assert.equal(importsOf(text), ['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.cjs', './i.ts']);
});

test.run();
