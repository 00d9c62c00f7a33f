import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import {
  type Body,
  call,
  LONG,
  type LungRig,
  onLungRig,
  type RunningProgram,
  SHORT,
  until,
} from './lung-rig.ts';

const test = suite('the bridge moves the lung through svc-lung');

const HW = '/api/v1/hardware';
const query = ({ steps, speed, cycles, pause }: typeof LONG) =>
  `POST ${HW}/lung?steps=${steps}&speed=${speed}&cycles=${cycles}&pause=${pause}`;

/** Knobs of a twin without faults. */
const AT_REST = { vin_mv: null, forward_limit: false, reverse_limit: false };

const through = (url: string) => `{connection_type: http, connection_params: {base_url: "${url}"}}`;

async function both(rig: LungRig): Promise<{ lung: RunningProgram; bridge: RunningProgram }> {
  const lung = await rig.start();
  return { lung, bridge: await bridgeTo(rig, lung) };
}

/** A bridge whose first safe state is proven: on a machine under load not by its first attempt. */
async function bridgeTo(rig: LungRig, lung: RunningProgram): Promise<RunningProgram> {
  const bridge = await rig.bridge(through(lung.url));
  await until(async () => (await call(bridge.url, 'GET /health')).body.not_safe === null);
  return bridge;
}

const lungHealth = async (bridge: RunningProgram): Promise<Body> => {
  const { body } = await call(bridge.url, `GET ${HW}/health`);
  return (body.components as Record<string, Body>)['lung-motor'] ?? {};
};

together(
  test,
  {
    'SVC-030 the bridge passes the failure of the service on: code, sentence and full status': () =>
      onLungRig(async (rig) => {
        const lung = await rig.start();
        const cases: [Body, string, string][] = [
          [{ vin_mv: 9000 }, 'lung_low_vin', 'Motor supply voltage is too low'],
          [
            { vin_mv: null, forward_limit: true, reverse_limit: true },
            'lung_limits_blocked',
            'Both limit switches are active; movement is blocked',
          ],
        ];
        const direct: Body[] = [];
        for (const [knobs] of cases) {
          await rig.turn(knobs);
          direct.push((await call(lung.url, 'POST /api/lung', LONG)).body);
        }
        await rig.turn(AT_REST);
        const bridge = await bridgeTo(rig, lung);
        for (const [index, [knobs, code, sentence]] of cases.entries()) {
          await rig.turn(knobs);
          const { status, type, body } = await call(bridge.url, query(LONG));
          assert.equal([status, type], [503, 'application/problem+json']);
          assert.equal([body.code, body.error, body.detail], [code, sentence, sentence]);
          assert.equal([body.title, body.ok], ['Lung start failed', false]);
          assert.equal(body, direct[index]);
        }
      }),

    'SVC-052 beside a bridge no other client gives the lung current; every client reads and stops it': () =>
      onLungRig(async (rig) => {
        const { lung, bridge } = await both(rig);
        const refuses = async () => {
          for (const [line, sent] of [
            ['POST /api/lung', LONG],
            ['POST /api/energize', { enable: true }],
            ['POST /api/home', { direction: 'reverse' }],
            ['POST /api/hold', { hold_s: 3600 }],
          ] as const) {
            const { status, body } = await call(lung.url, line, sent);
            assert.equal([status, body.code, body.device], [409, 'held_by_bridge', 'lung-motor'], line);
            assert.is((body.holder as Body).pid, bridge.pid);
          }
        };
        await refuses();
        const mark = rig.mark();
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        await refuses();
        assert.is(rig.commands(mark).filter((command) => command === 'E0').length, 1);
        const { body } = await call(lung.url, 'GET /api/status');
        assert.ok(Number(body.hold_remaining_s) <= 10);
        for (const line of ['POST /api/energize', 'POST /api/stop'])
          assert.is((await call(lung.url, line, { enable: false })).status, 200, line);
        assert.ok(await rig.isSafe());
      }),

    'SVC-028 SVC-031 the bridge renews the hold while it moves; when it dies, svc-lung stops the lung': () =>
      onLungRig(async (rig) => {
        const { bridge } = await both(rig);
        let mark = 0;
        do {
          mark = rig.mark();
          const { status, body } = await call(bridge.url, query(LONG));
          assert.equal(
            [status, body.ok, body.status, body.bench],
            [200, true, 'started', true],
            JSON.stringify(body),
          );
          assert.is(((body.data as Body).runtime_status as Body).moving, true);
          // Longer than one hold of 10 s. The motor may stop only where the machine kept svc-lung from sending for 1 s.
          await systemClock.sleep(12_000);
        } while ((await rig.motor()).velocity === 0 && rig.standstillAfterSilenceMs() >= 1000);
        assert.ok((await rig.motor()).velocity > 0);
        await end(bridge, 'SIGKILL');
        await until(() => rig.isSafe());
        assert.is(rig.commands(mark).filter((command) => command === 'E0').length, 1);
      }),

    'SVC-036 a motion that ends by a fault ends the lease, and its holder is told why': () =>
      onLungRig(async (rig) => {
        const { bridge } = await both(rig);
        const lease = await call(bridge.url, 'POST /api/v1/lease', { owner: 'run', ttl_ms: 60_000 });
        const id = String(lease.body.lease_id);
        const begun = await call(bridge.url, query(LONG), undefined, { 'x-lease-id': id });
        assert.is(begun.status, 200, JSON.stringify(begun.body));
        await rig.turn({ no_motion: true });
        await until(async () => (await call(bridge.url, 'GET /api/v1/lease')).body.held === false);
        const { status, body } = await call(bridge.url, `POST /api/v1/lease/${id}/renew`);
        assert.is(status, 410);
        assert.match(
          String(body.detail),
          /actuator_lost: lung-main: read-back shows it stopped after 0 of \d+ cycles/,
        );
        // A machine under load may not keep the motion alive for long enough to see that it does not move.
        assert.match(String(body.detail), /check the motor|this machine is too slow/);
      }),

    'SVC-036 a motion that has made all its cycles ends no lease': () =>
      onLungRig(async (rig) => {
        const { bridge } = await both(rig);
        const lease = await call(bridge.url, 'POST /api/v1/lease', { owner: 'run', ttl_ms: 60_000 });
        const id = String(lease.body.lease_id);
        await call(bridge.url, query(SHORT), undefined, { 'x-lease-id': id });
        await until(async () => (await rig.motor()).velocity === 0);
        await systemClock.sleep(1000);
        assert.is((await call(bridge.url, 'GET /api/v1/lease')).body.held, true);
      }),

    'stop and disable, and the steps of the safe state, are answered when the service has proven them': () =>
      onLungRig(async (rig) => {
        const { bridge } = await both(rig);
        for (const [path, word] of [
          ['stop', 'stopped'],
          ['disable', 'de-energized'],
        ] as const) {
          assert.is((await call(bridge.url, query(LONG))).status, 200);
          const { status, body } = await call(bridge.url, `POST ${HW}/lung/${path}`);
          assert.equal([status, body.ok, body.status], [200, true, word]);
          assert.ok(await rig.isSafe());
        }
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        const safe = await call(bridge.url, `POST ${HW}/safe-state`);
        assert.equal([safe.status, safe.body.outcome], [200, 'safe'], JSON.stringify(safe.body));
        const steps = (safe.body.steps as Body[]).filter(({ name }) => String(name).startsWith('lung'));
        assert.equal(
          steps.map(({ name, status, verified, detail }) => [name, status, verified, detail]),
          [
            ['lung_halt', 'done', true, 'halted, velocity 0 by read-back'],
            ['lung_deenergize', 'done', true, 'de-energized by read-back'],
          ],
        );
        assert.ok(await rig.isSafe());
      }),

    'identify reports the firmware of the Tic, as its service does': () =>
      onLungRig(async (rig) => {
        const { bridge } = await both(rig);
        const { body } = await call(bridge.url, `GET ${HW}/identify`);
        const lung = (body.adapters as Body[]).find(({ id }) => id === 'lung-motor');
        assert.equal([lung?.status, lung?.version, lung?.bench], ['ok', '1.06', true]);
      }),

    'a run that ends by itself is renewed no more': () =>
      onLungRig(async (rig) => {
        const { lung, bridge } = await both(rig);
        // A machine under load may not keep a motion alive to its end.
        await until(async () => {
          if ((await call(bridge.url, query({ ...SHORT, steps: 200 }))).status !== 200) return false;
          await until(async () => (await call(lung.url, 'GET /api/status')).body.moving === false);
          const { cycles_done, cycles_total } = (await call(lung.url, 'GET /api/status')).body;
          return cycles_done === cycles_total;
        });
        const holds = async () => {
          const metrics = await (await fetch(`${lung.url}/metrics`)).text();
          const [, count = '0'] =
            /svc_http_requests_total\{[^}]*route="\/api\/hold"[^}]*\} (\d+)/.exec(metrics) ?? [];
          return Number(count);
        };
        const atItsEnd = await holds();
        await systemClock.sleep(8000);
        assert.ok((await holds()) <= atItsEnd + 1, 'by the next renewal the bridge learns of the end');
      }),

    'svc-lung dies while it moves: the bridge makes the rig safe, and again when the service is back': () =>
      onLungRig(async (rig) => {
        const { lung, bridge } = await both(rig);
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        await end(lung, 'SIGKILL');
        await bridge.until('actuator lost: lung-motor is no longer under command');
        await bridge.until('(actuator_lost)');
        assert.is((await lungHealth(bridge)).status, 'error');
        await rig.start({}, Number(new URL(lung.url).port));
        await bridge.until('the rig is proven safe again');
        assert.ok(await rig.isSafe());
        assert.is((await lungHealth(bridge)).status, 'ok');
        assert.is((await call(bridge.url, query(LONG))).status, 200);
      }),

    'svc-lung is restarted between two renewals, with no life line: the motion is lost, not taken for ended':
      () =>
        onLungRig(async (rig) => {
          const lung = await rig.start({ SVC_STATE_DIR: join(rig.folder, 'other') });
          const bridge = await bridgeTo(rig, lung);
          assert.is((await call(bridge.url, query(LONG))).status, 200);
          await end(lung, 'SIGTERM');
          await rig.start({}, Number(new URL(lung.url).port));
          // On a machine under load the service may come back after a renewal has failed.
          await bridge.until('actuator lost: lung-m');
          await bridge.until('(actuator_lost)');
          assert.match(
            bridge.text(),
            /lung-main: read-back shows it stopped and without a motion|its hold could not be renewed/,
          );
          await until(() => rig.isSafe());
        }),

    'svc-lung ends in order while it moves: the motion is lost as soon as its life line breaks': () =>
      onLungRig(async (rig) => {
        const { lung, bridge } = await both(rig);
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        await end(lung, 'SIGTERM');
        await bridge.until(
          'actuator lost: lung-motor is no longer under command: its hold could not be renewed',
        );
        await bridge.until('(actuator_lost)');
        assert.ok(await rig.isSafe());
      }),

    'SVC-009 a service in mock mode behind a real bridge is incompatible: not started, not called safe': () =>
      onLungRig(async (rig) => {
        const lung = await rig.start({ SVC_HARDWARE_MODE: 'mock' });
        const bridge = await rig.bridge(through(lung.url));
        const entry = await lungHealth(bridge);
        assert.equal([entry.status, entry.compatible, entry.code], ['incompatible', false, 'wrong_device']);
        const start = await call(bridge.url, query(LONG));
        assert.equal([start.status, start.body.code], [503, 'wrong_device']);
        assert.is((await call(lung.url, 'GET /api/status')).body.moving, false);
        const safe = await call(bridge.url, `POST ${HW}/safe-state`);
        assert.equal([safe.status, safe.body.ok], [503, false]);
      }),

    'a service that is not there yet: the bridge runs, and takes it when it comes': () =>
      onLungRig(async (rig) => {
        const first = await rig.start();
        await end(first);
        const bridge = await rig.bridge(through(first.url));
        assert.is((await lungHealth(bridge)).status, 'error');
        const start = await call(bridge.url, query(SHORT));
        assert.equal([start.status, start.body.code], [503, 'device_unavailable']);
        await rig.start({}, Number(new URL(first.url).port));
        await bridge.until('the rig is proven safe again');
        assert.is((await call(bridge.url, query(SHORT))).status, 200);
      }),

    'SVC-030 SVC-040 with connection_type usb the bridge drives the Tic itself, by the same rules': () =>
      onLungRig(async (rig) => {
        const plugin = `{connection_type: usb, connection_params: {address: "${rig.address}"}}`;
        const bridge = await rig.bridge(plugin);
        assert.equal(rig.commands().slice(0, 3), ['89', '86', '8F']);
        await rig.turn({ vin_mv: 9000 });
        const { status, body } = await call(bridge.url, query(LONG));
        assert.equal(
          [status, body.code, body.error],
          [503, 'lung_low_vin', 'Motor supply voltage is too low'],
        );
        assert.is(((body.data as Body).runtime_status as Body).vin_mv, 9000);
        await rig.turn({ vin_mv: null });
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        assert.is((await call(bridge.url, query(LONG))).body.code, 'lung_moving');
        assert.equal((await lungHealth(bridge)).message, 'Tic answered: moving, energized');
        const lung = await rig.start({ SVC_CONFIG_PATH: join(rig.folder, 'svc.yaml') });
        assert.is((await call(lung.url, 'POST /api/lung', LONG)).body.code, 'held_by_other');
        await rig.turn({ unplug: true });
        await bridge.until(' (actuator_lost) in ');
        await rig.turn({ unplug: false });
        await bridge.until('the rig is proven safe again');
        assert.ok(await rig.isSafe());
        assert.is((await call(bridge.url, query(LONG))).status, 200);
        const { code, stderr } = await end(bridge);
        assert.is(code, 0, stderr);
        assert.ok(await rig.isSafe());
      }),
  },
  { timeoutMs: 120_000, atOnce: 6 },
);

test.run();
