import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { appendCrc } from '../../../src/devices/modbus-rtu/crc.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { end, launch, launchReady } from '../bench/program.ts';
import { GuardedRig } from '../guard/guarded-rig.ts';
import { type DoctorRig, hold, type Json, onDoctorRig, onlyDocument } from './doctor-rig.ts';
import { withStubBridge } from './stub-bridge.ts';

const test = suite('svcctl doctor');
const LONG = { timeoutMs: 120_000 };

interface Issue {
  severity: string;
  code: string;
  message: string;
  caused_by: string | null;
  repaired: boolean;
  evidence: { source: string; value: string }[];
  cause: string;
  remedy: string;
}
const issuesOf = (report: Json) => report.issues as Issue[];
/** Without a note about the machine that this runs on. */
const codesOf = (report: Json) =>
  issuesOf(report).flatMap(({ code }) => (code === 'node_end_of_life' ? [] : [code]));

const YAML = `# the rig of hall 3
plugins:
  # valves
  modbus-io:
    enabled: true           # RS-485
    connection_type: modbus-rtu
    connection_params: {serial_port: /dev/ttyUSB0, baudrate: 9600, parity: "N", device_id: 1}   # as delivered
limits: {pump: {max_power_pct: 80}}
`;

/** A board at 19200 8N1 that svc.yaml expects at 9600. */
async function withMismatch(work: (rig: DoctorRig) => Promise<void>): Promise<void> {
  await onDoctorRig(async (rig) => {
    writeFileSync(rig.config, YAML);
    await rig.plug('ttyUSB0');
    await work(rig);
  });
}

test(
  'DIAG-014 DIAG-045 a healthy bench: nothing but the warning that it is a bench, exit 0; --strict 1',
  async () => {
    const rig = await GuardedRig.open();
    try {
      const bridge = await rig.settledBridge();
      await rig.guardOf(bridge);
      const ended = await rig.svcctl(['doctor', '--json', '--firmware-url', bridge.url]).ended;
      const report = onlyDocument(ended);
      assert.equal(codesOf(report), ['bench_in_use'], JSON.stringify(report.issues));
      assert.equal([report.ok, report.status, ended.code], [true, 'needs_attention', 0]);
      const { errors, warnings, applied_repairs } = report.summary as Record<string, number>;
      assert.equal([errors, warnings, applied_repairs], [0, 1, 0]);
      const strict = await rig.svcctl(['doctor', '--strict', '--firmware-url', bridge.url]).ended;
      assert.is(strict.code, 1, strict.stdout);
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test(
  'DIAG-007 a bridge that hangs: it is named, and its port is neither a foreign one nor probed',
  async () => {
    const rig = await GuardedRig.open();
    try {
      const bridge = await rig.settledBridge();
      process.kill(bridge.pid, 'SIGSTOP');
      const report = onlyDocument(await rig.svcctl(['doctor', '--json', '--firmware-url', bridge.url]).ended);
      assert.equal(codesOf(report), ['firmware_unreachable'], JSON.stringify(report.issues));
      const found = issuesOf(report).find(({ code }) => code === 'firmware_unreachable');
      assert.match(found?.message ?? '', `svc-bridge (pid ${bridge.pid}) runs and does not respond`);
      assert.match(JSON.stringify(report.detection), 'holds the port and does not respond');
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test(
  'DIAG-046 rig_not_safe: without a bridge the report of the guard names the device that it cannot switch off',
  async () => {
    const rig = await GuardedRig.open();
    const notSafe = async (url: string) => {
      const report = onlyDocument(await rig.svcctl(['doctor', '--json', '--firmware-url', url]).ended);
      return issuesOf(report).find(({ code }) => code === 'rig_not_safe')?.message;
    };
    try {
      const bridge = await rig.settledBridge();
      await rig.guardOf(bridge);
      await rig.knobs('pump', { unplugged: true });
      await end(bridge, 'SIGKILL');
      let told: string | undefined;
      while (told === undefined) told = await notSafe(bridge.url);
      assert.match(told, /^pump-motor is not proven safe: pump_zero/);
      await rig.knobs('pump', { unplugged: false });
      // The guard goes on trying.
      while (told !== undefined) told = await notSafe(bridge.url);
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test(
  'DIAG-044 a variable that the bridge was not started with is evidence of the difference',
  async () => {
    const rig = await GuardedRig.open();
    try {
      const bridge = await rig.settledBridge();
      await rig.guardOf(bridge);
      const env = { SVC_MODBUS_BAUD: '9600' };
      const ended = await rig.svcctl(['doctor', '--json', '--firmware-url', bridge.url], env).ended;
      const [issue] = issuesOf(onlyDocument(ended)).filter(({ code }) => code === 'firmware_config_stale');
      assert.equal(issue?.evidence.at(-1), { source: 'SVC_MODBUS_BAUD', value: '9600' });
      assert.match(issue?.cause ?? '', 'SVC_MODBUS_BAUD has another value');
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test(
  'DIAG-018 a bridge that is not safe because its port does not exist: the other ports are probed',
  () =>
    onDoctorRig(async (rig) => {
      rig.configure('{serial_port: /dev/ttyUSB9}');
      const other = await rig.plug('ttyUSB0');
      const components = {
        'modbus-io': { status: 'error', code: 'device_unavailable', message: 'no such file' },
      };
      const bridge = { not_safe: 'modbus-io: no such file' };
      await withStubBridge({ bridge, health: { components } }, async (url) => {
        const codes = codesOf(await rig.json('doctor', '--firmware-url', url));
        assert.ok(codes.includes('modbus_config_mismatch'), codes.join());
        rig.configure('{serial_port: /dev/ttyUSB0}');
        const asked = other.sent.length;
        await rig.json('doctor', '--firmware-url', url);
        assert.is(other.sent.length, asked, 'a port that exists is left to the bridge');
      });
    }),
  LONG,
);

test(
  'DIAG-018 DIAG-044 the board answers at another rate: what, how it was seen, why and what mends it',
  () =>
    withMismatch(async (rig) => {
      const ended = await rig.svcctl('doctor', '--json');
      const report = onlyDocument(ended);
      const [issue] = issuesOf(report).filter(({ code }) => code === 'modbus_config_mismatch');
      assert.match(issue?.message ?? '', 'configured 9600 8N1');
      assert.match(JSON.stringify(issue?.evidence), 'FC01 answered twice');
      assert.is(issue?.remedy, 'svcctl doctor --fix');
      assert.is(ended.code, 1);
      const repairs = report.repairs as { id: string; safe: boolean; mismatches?: Json }[];
      assert.equal(
        repairs.filter(({ safe }) => safe).map(({ id }) => id),
        ['update_modbus_config'],
      );
      assert.equal(repairs.find(({ safe }) => safe)?.mismatches, {
        baudrate: { current: 9600, detected: 19_200 },
      });
      assert.is(readFileSync(rig.config, 'utf8'), YAML, 'without --fix nothing is changed');
    }),
  LONG,
);

test(
  'DIAG-019 DIAG-022 DIAG-023 --fix writes the value and keeps the rest; a second one changes nothing',
  () =>
    withMismatch(async (rig) => {
      const report = await rig.json('doctor', '--fix');
      const fixed = YAML.replace('baudrate: 9600', 'baudrate: 19200');
      assert.is(readFileSync(rig.config, 'utf8'), fixed);
      assert.is(readFileSync(`${rig.config}.bak`, 'utf8'), YAML);
      const [applied] = report.applied_repairs as Json[];
      assert.equal(applied?.changes, { baudrate: { from: 9600, to: 19_200 } });
      const [issue] = issuesOf(report).filter(({ code }) => code === 'modbus_config_mismatch');
      assert.is(issue?.repaired, true, 'a finding that is gone is shown as gone');
      assert.is(report.fix_requested, true);
      const second = await rig.json('doctor', '--fix');
      assert.equal(second.applied_repairs, []);
      assert.is(readFileSync(rig.config, 'utf8'), fixed);
      assert.is(existsSync(`${rig.config}.bak.1`), false);
    }),
  LONG,
);

test(
  'DIAG-022 an older backup is kept under the next number',
  () =>
    withMismatch(async (rig) => {
      writeFileSync(`${rig.config}.bak`, 'older\n');
      await rig.json('doctor', '--fix');
      assert.is(readFileSync(`${rig.config}.bak.1`, 'utf8'), 'older\n');
      assert.is(readFileSync(`${rig.config}.bak`, 'utf8'), YAML);
    }),
  LONG,
);

test(
  'DIAG-020 another port is written by its by-id name',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, () => {});
      await rig.plug('ttyUSB1');
      const report = await rig.json('doctor', '--fix');
      assert.match(
        readFileSync(rig.config, 'utf8'),
        'serial_port: /dev/serial/by-id/usb-FTDI_A2-if00-port0,',
      );
      assert.is((report.applied_repairs as Json[]).length, 1);
    }),
  LONG,
);

test(
  'DIAG-021 an anchor that other keys share: exit 3, the file is as it was',
  () =>
    withMismatch(async (rig) => {
      const shared = YAML.replace('baudrate: 9600', 'baudrate: &rate 9600').replace(
        'limits:',
        '  modbus-io-2: {enabled: false, connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB5, baudrate: *rate}}\nlimits:',
      );
      writeFileSync(rig.config, shared);
      const before = readFileSync(rig.config, 'utf8');
      const ended = await rig.svcctl('doctor', '--fix', '--json');
      assert.is(readFileSync(rig.config, 'utf8'), before, ended.stdout);
      assert.is(existsSync(`${rig.config}.bak`), false);
      assert.is(ended.code, 3, ended.stderr);
      assert.match(ended.stderr, 'an anchor or alias');
    }),
  LONG,
);

test(
  'DIAG-020 an exception from another port may be another device: --fix leaves svc.yaml alone',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, () => {});
      await rig.plug('ttyUSB1', {}, ([unit = 1], reply) => reply(appendCrc([unit, 0x81, 1])));
      const before = readFileSync(rig.config, 'utf8');
      const report = await rig.json('doctor', '--fix');
      assert.is(readFileSync(rig.config, 'utf8'), before);
      const [repair] = (report.repairs as Json[]).filter(({ id }) => id === 'update_modbus_config');
      assert.equal([repair?.safe, repair?.reason], [false, 'unsafe']);
      assert.match(JSON.stringify(report.issues), 'only a Modbus exception');
    }),
  LONG,
);

test(
  'DIAG-008 the port of another plugin is not probed, also while that is disabled',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, () => {});
      const other = await rig.plug('ttyUSB1');
      appendFileSync(
        rig.config,
        '  modbus-io-2: {enabled: false, connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB1}}\n',
      );
      const report = await rig.json('doctor', '--fix', '--probe-budget', '1');
      assert.equal(report.applied_repairs, []);
      assert.match(JSON.stringify(report.detection), 'port of plugins.modbus-io-2 in svc.yaml');
      const ended = await rig.run('svc-modbus-probe', ['--serial', '/dev/ttyUSB1', '--json']);
      assert.equal([ended.code, onlyDocument(ended).code], [4, 'port_reserved']);
      assert.equal(other.sent, []);
    }),
  LONG,
);

test(
  'DIAG-041 a person has the findings before a silent line is swept, and Ctrl-C ends the sweep',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, () => {});
      const program = launch('svcctl', ['doctor', '--probe-budget', '120'], rig.env);
      let said = '';
      program.child.stderr?.on('data', (chunk) => {
        said += String(chunk);
        if (said.includes('All findings:')) program.child.kill('SIGINT');
      });
      const { code, stdout } = await program.ended;
      assert.is(code, 130, said);
      const [first = ''] = said.split('All findings:');
      assert.match(first, /First findings.*Ctrl-C ends it/);
      for (const text of [first, stdout]) {
        assert.match(text, '[ERROR] firmware_unreachable');
        assert.match(text, 'modbus_adapter_only');
      }
    }),
  LONG,
);

test(
  'DIAG-018 a variable that is not what the board is set to: it is named, and --fix leaves svc.yaml alone',
  () =>
    onDoctorRig(async (rig) => {
      rig.configure('{serial_port: /dev/ttyUSB0}');
      await rig.plug('ttyUSB0');
      const before = readFileSync(rig.config, 'utf8');
      const ended = await rig.run('svcctl', ['doctor', '--fix', '--json'], { SVC_MODBUS_BAUD: '9600' });
      const found = issuesOf(onlyDocument(ended)).find(({ code }) => code === 'modbus_config_mismatch');
      assert.match(found?.message ?? '', /9600 8N1 \(SVC_MODBUS_BAUD\)/);
      assert.match(found?.remedy ?? '', 'remove SVC_MODBUS_BAUD');
      assert.is(readFileSync(rig.config, 'utf8'), before);
    }),
  LONG,
);

test(
  'DIAG-017 a by-id link and its tty are no mismatch',
  () =>
    onDoctorRig(async (rig) => {
      rig.configure('{serial_port: /dev/serial/by-id/usb-FTDI_A1-if00-port0}');
      await rig.plug('ttyUSB0');
      const codes = codesOf(await rig.json('doctor'));
      assert.equal(codes, ['firmware_unreachable']);
    }),
  LONG,
);

test(
  'DIAG-024 DIAG-026 a bridge in mock mode: firmware_not_real, no adapter is judged, --fix leaves the mode',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0');
      const bridge = await launchReady('svc-bridge', ['--port', '0'], { SVC_CONFIG_PATH: rig.config });
      try {
        const report = await rig.json('doctor', '--fix', '--firmware-url', bridge.url);
        assert.equal(codesOf(report), ['firmware_not_real']);
        const [repair] = report.repairs as Json[];
        assert.equal([repair?.id, repair?.safe, repair?.reason], ['enable_real_mode', false, 'unsafe']);
        const text = await rig.svcctl('doctor', '--no-probe', '--firmware-url', bridge.url);
        assert.match(text.stdout, /Unapplied repairs:\n {2}enable_real_mode \(unsafe\)/);
      } finally {
        await end(bridge);
      }
    }),
  LONG,
);

test(
  'DIAG-025 DIAG-044 a program has the configured port: it is named, and explains the silence',
  () =>
    onDoctorRig(async (rig) => {
      rig.configure('{serial_port: /dev/serial/by-id/usb-FTDI_A1-if00-port0}');
      const adapter = await rig.plug('ttyUSB0');
      const holder = await hold(adapter.path);
      try {
        const report = await rig.json('doctor');
        const issues = issuesOf(report);
        const [busy] = issues.filter(({ code }) => code === 'serial_port_busy');
        assert.match(busy?.message ?? '', `pid ${holder.pid}`);
        const [lost] = issues.filter(({ code }) => code === 'modbus_not_detected');
        assert.is(lost?.caused_by, 'serial_port_busy');
        assert.is((report.summary as { errors: number }).errors, 2, 'the port and the bridge, each once');
      } finally {
        holder.kill('SIGKILL');
      }
    }),
  LONG,
);

test(
  'DIAG-015 DIAG-016 findings come in the order A to F, the configuration without a Modbus line',
  () =>
    onDoctorRig(async (rig) => {
      writeFileSync(rig.config, 'plugins: {modbus-io: {connection_type: 5, oops: 1}}\n');
      const codes = codesOf(await rig.json('doctor'));
      assert.is(codes[0], 'config_unavailable');
      assert.is(codes.at(-1), 'firmware_unreachable');
    }),
  LONG,
);

test(
  'DIAG-012 DIAG-042 a silent line says what to do with the hands',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, (bytes, reply) => reply(bytes));
      const report = await rig.json('doctor', '--probe-budget', '1');
      const [issue] = issuesOf(report).filter(({ code }) => code === 'modbus_adapter_only');
      assert.match(issue?.remedy ?? '', 'wires A and B');
      assert.not.match(JSON.stringify(report.issues), /busy|blocked/);
    }),
  LONG,
);

test(
  'DIAG-027 an empty list of serial ports is an access issue, a missing one is none; remote has its own code',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0');
      const identify = {
        mode: 'real',
        detected: 0,
        total: 0,
        adapters: [],
        diagnostics: { serial_ports: [] },
      };
      await withStubBridge({ identify }, async (url) => {
        const codes = codesOf(await rig.json('doctor', '--no-probe', '--firmware-url', url));
        assert.ok(codes.includes('firmware_no_serial_access'), codes.join());
      });
      await withStubBridge({}, async (url) => {
        const codes = codesOf(await rig.json('doctor', '--no-probe', '--firmware-url', url));
        assert.not.match(codes.join(), 'no_serial_access');
      });
    }),
  LONG,
);

test('DIAG-028 health of an adapter beats its identify status', () =>
  onDoctorRig(async (rig) => {
    const adapters = ['lung-motor', 'pump-motor', 'sensor-adc'].map((id) => ({
      id,
      name: id,
      status: 'offline',
    }));
    adapters[0]!.status = 'ok';
    const components = {
      'lung-motor': { status: 'timeout', message: 'no answer' },
      'pump-motor': { status: 'ok' },
    };
    const identify = { mode: 'real', detected: 1, total: 3, adapters, diagnostics: {} };
    await withStubBridge({ health: { components }, identify }, async (url) => {
      const codes = codesOf(await rig.json('doctor', '--no-probe', '--firmware-url', url));
      assert.equal(
        codes.filter((code) => code.startsWith('adapter_')),
        ['adapter_lung-motor_health_not_ok', 'adapter_sensor-adc_not_ok'],
      );
    });
  }));

test(
  'DIAG-001 DIAG-002 status, identify and devices, with their old forms and without a bridge',
  async () => {
    const rig = await BenchRig.open();
    try {
      for (const args of [['status'], ['--status'], ['identify'], ['--identify'], ['devices']]) {
        const ended = await rig.svcctl(args).ended;
        assert.is(ended.code, 0, `${args}: ${ended.stdout}${ended.stderr}`);
        assert.match(ended.stdout, 'modbus-io');
      }
      const { stdout } = await rig.svcctl(['devices']).ended;
      const adc = stdout.split(/\n(?=\S)/).find((line) => line.startsWith('sensor-adc')) ?? '';
      assert.match(adc.replace(/\s+/g, ' '), 'ai01, ai02, ai03 calibrated (due 2099-12-31)', stdout);
      assert.match(stdout, /modbus-io +ok, read_coils answered/);
      const identified = onlyDocument(await rig.svcctl(['identify', '--scan', 'never', '--json']).ended);
      assert.is((identified.diagnostics as Json).scan_mode, 'never');
    } finally {
      await rig.close();
    }
    await onDoctorRig(async (lonely) => {
      for (const name of ['status', 'identify', 'devices']) {
        const ended = await lonely.svcctl(name, '--json');
        assert.equal([ended.code, onlyDocument(ended).code], [3, 'bridge_unreachable'], name);
      }
      const wrong = await lonely.svcctl('detect', '--probe-budget', '0', '--json');
      assert.equal([wrong.code, onlyDocument(wrong).ok], [2, false]);
    });
  },
  LONG,
);

test(
  'DIAG-044 a repair that does not help is taken back, exit 3',
  () =>
    withMismatch(async (rig) => {
      // The board changes its rate as soon as the file was written.
      const watch = setInterval(() => {
        if (existsSync(`${rig.config}.bak`)) rig.adapters[0]?.twin.knobs.patch({ baud: 38_400 });
      }, 10);
      try {
        const ended = await rig.svcctl('doctor', '--fix', '--json');
        const report = onlyDocument(ended);
        assert.is(ended.code, 3, ended.stdout);
        assert.is(readFileSync(rig.config, 'utf8'), YAML);
        assert.equal(report.applied_repairs, []);
        const [repair] = (report.repairs as Json[]).filter(({ id }) => id === 'update_modbus_config');
        assert.equal([repair?.applied, repair?.reason], [false, 'failed']);
      } finally {
        clearInterval(watch);
      }
    }),
  LONG,
);

test(
  'DIAG-002 DIAG-041 Ctrl-C ends a sweep: exit 130, the port is free again',
  () =>
    onDoctorRig(async (rig) => {
      const adapter = await rig.plug('ttyUSB0', {}, () => {});
      const program = launch('svcctl', ['detect', '--json'], rig.env);
      while (adapter.sent.length === 0) await systemClock.sleep(20);
      program.child.kill('SIGINT');
      const ended = await program.ended;
      assert.is(ended.code, 130, ended.stderr);
      assert.is((onlyDocument(ended).probes as { modbus: Json }).modbus.modbus_device_responds, false);
    }),
  LONG,
);

test(
  'DIAG-003 every step uses the same bridge: the option, SVC_FIRMWARE_URL, FIRMWARE_URL, in this order',
  () =>
    onDoctorRig(async (rig) => {
      await withStubBridge({}, async (url) => {
        const urlOf = async (args: string[], env: Record<string, string>) => {
          const ended = await rig.run('svcctl', ['detect', '--no-probe', '--json', ...args], env);
          const { firmware } = onlyDocument(ended) as { firmware: { url: string; health: Json } };
          return [firmware.url, firmware.health.mode];
        };
        const other = 'http://127.0.0.1:9';
        assert.equal(await urlOf(['--firmware-url', url], { SVC_FIRMWARE_URL: other }), [url, 'real']);
        assert.equal(await urlOf([], { SVC_FIRMWARE_URL: url, FIRMWARE_URL: other }), [url, 'real']);
        assert.equal(await urlOf([], { SVC_FIRMWARE_URL: '', FIRMWARE_URL: url }), [url, 'real']);
      });
    }),
  LONG,
);

test.run();
