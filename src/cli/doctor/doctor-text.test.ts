import * as assert from 'uvu/assert';
import { reportOf } from '../../diagnostics/doctor/doctor.ts';
import { CAUSES, issuesOn } from '../../test-kit/diagnostics/machine.ts';
import { suite } from '../../test-kit/suite.ts';
import { wrapped } from '../io/wrapped.ts';
import { doctorLines } from './doctor-text.ts';

const test = suite('text of the doctor');

const failedPart = { ok: false, error: 'GET /health: connection refused' } as const;
const detection = {
  config: { ok: false, path: null, error: 'svc.yaml: plugins.modbus-io: must be a map; correct it' },
  host: failedPart,
  probes: { modbus: failedPart },
  firmware: {
    ...{ url: 'http://127.0.0.1:8202', host: '127.0.0.1', is_local: true },
    ...{ bridge: failedPart, health: failedPart, identify: failedPart },
  },
} as const;

for (const columns of [40, 80])
  test(`no line is wider than ${columns} columns, but for one word that is`, async () => {
    const issues = await issuesOn((machine) => {
      for (const code of ['usb_over_current', 'disk_full', 'rig_not_safe', 'udev_rule_not_applied'])
        CAUSES[code]?.[0](machine);
    });
    assert.is(issues.length, 6, issues.map(({ code }) => code).join());
    const report = reportOf({ issues, repairs: [], not_checked: [{ code: 'x', reason: 'y' }] }, detection);
    const lines = doctorLines(report, { stdout: { columns } as NodeJS.WriteStream });
    for (const line of lines)
      assert.ok(line.length <= columns || /^ *\S+$/.test(line), `${line.length}: ${line}`);
    assert.match(lines.join('\n'), /^\[ERROR\] usb_over_current:/m);
  });

test('a text is wrapped at blanks, and the lines after the first are indented', () => {
  assert.equal(wrapped('cause: the adapter is unplugged', { columns: 20 }, 4), [
    'cause: the adapter',
    '    is unplugged',
  ]);
});

test.run();
