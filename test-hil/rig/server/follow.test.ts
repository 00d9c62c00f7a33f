import { spawn } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, root } from '../bench/program.ts';
import { HOLDING, type Json, onServerRig, QUICK, type ServerRig } from './server-rig.ts';

const test = suite('svcctl follow and run --server');

interface Done {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

function svcctl(rig: ServerRig, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'dist/svcctl.cjs'), ...args], {
    cwd: rig.bench.folder,
    env: {
      PATH: process.env.PATH ?? '',
      SVC_SERVER_URL: rig.server.url,
      SVC_STATE_DIR: join(rig.bench.folder, 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  const done = new Promise<Done>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
  const until = async (text: string) => {
    while (!`${texts.stdout}${texts.stderr}`.includes(text)) await systemClock.sleep(10);
  };
  return { child, done, until, texts };
}

const UNGUARDED = ['--mode', 'execute', '--without-guard'];

test('REC-001 a run that svcctl has the server start names svcctl, unit and operator, and has the exit code of the run', () =>
  onServerRig({ quick: QUICK, fails: QUICK.replace('>= 0 V', '>= 3 V') }, async (rig) => {
    const who = ['--serial', 'SN-9', '--revision', 'B', '--operator', 'Anna'];
    const good = await svcctl(rig, 'run', 'quick', '--server', ...UNGUARDED, ...who, '--json').done;
    assert.is(good.code, 0, good.stderr);
    const run = JSON.parse(good.stdout) as Json;
    assert.equal(
      [run.status, run.unit_under_test, run.revision, run.operator, run.started_by],
      ['passed', 'SN-9', 'B', 'Anna', 'svcctl'],
    );
    assert.match(good.stderr, `${run.run_id} belongs to svc-server`);
    // The path of the file is its name below the folder of the scenarios.
    const bad = await svcctl(rig, 'run', 'scenarios/fails.oql', '--server', ...UNGUARDED).done;
    assert.equal([bad.code, /^\[failed\] One reading/m.test(bad.stdout)], [1, true], bad.stderr);
    const verified = await svcctl(rig, 'verify', '--all').done;
    assert.is(verified.code, 0, verified.stdout);
    for (const [args, reason] of [
      [['run', 'nothing', '--server'], /no scenario|unknown/i],
      [['run', 'quick', '--server', '--junit', 'x.xml'], /--junit is for a run of svcctl itself/],
      [['run', 'quick', '--detach'], /--detach is for a run of svc-server/],
      [['follow', 'r-20000101-0001'], /no run "r-20000101-0001"/],
    ] as const) {
      const wrong = await svcctl(rig, ...args).done;
      assert.equal([wrong.code, wrong.stdout], [2, ''], args.join(' '));
      assert.match(wrong.stderr, reason);
    }
    const absent = await svcctl(rig, 'follow', 'x', '--server-url', 'http://127.0.0.1:9').done;
    assert.is(absent.code, 3);
    assert.match(absent.stderr, 'svc-server at http://127.0.0.1:9 does not answer');
  }));

test('REC-001 --server refuses an invalid scenario with exit code 2, every place and remedy', () =>
  onServerRig(
    { bad: "GOAL:\n  SET NAME 'Bad'\n  SET valve-nx open\n  CHECK AI01 >= 0 V\n  GET AI09\n" },
    async (rig) => {
      const { code, stdout, stderr } = await svcctl(rig, 'run', 'bad', '--server', ...UNGUARDED).done;
      assert.equal([code, stdout], [2, '']);
      assert.match(stderr, /no run was started: bad has 2 errors\. SCN221 line 3, column 7: "valve-nx"/);
      assert.match(stderr, /SCN222 line 5, column 7: "AI09".*Correct the name/);
      assert.equal((await rig.ask('GET /api/runs')).body.count, 0);
    },
  ));

test('REC-001 --server refuses a file outside the scenario folder or with another text, and runs dry without --mode', () =>
  onServerRig({ quick: QUICK }, async (rig) => {
    const { folder } = rig.bench;
    writeFileSync(join(folder, 'quick.oql'), QUICK.replace('>= 0 V', '>= 3 V'));
    const outside = await svcctl(rig, 'run', 'quick.oql', '--server', ...UNGUARDED).done;
    assert.equal([outside.code, outside.stdout], [2, '']);
    assert.match(outside.stderr, `${join(folder, 'quick.oql')} is outside ${join(folder, 'scenarios')}`);
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine', 'quick.oql'), QUICK.replace('>= 0 V', '>= 3 V'));
    const other = ['run', 'mine/quick.oql', '--server', '--library', 'mine'];
    const changed = await svcctl(rig, ...other, ...UNGUARDED).done;
    assert.equal([changed.code, changed.stdout], [3, '']);
    assert.match(changed.stderr, /no run was started: .*quick\.oql of svc-server has another text/);
    assert.equal((await rig.ask('GET /api/runs')).body.count, 0);
    const same = await svcctl(rig, 'run', 'scenarios/quick.oql', '--server', '--json').done;
    assert.is(same.code, 0, same.stderr);
    assert.is((JSON.parse(same.stdout) as Json).mode, 'dry-run');
  }));

test('REC-004 a run of the server survives the terminal that started it; follow shows it again up to its end', () =>
  onServerRig({ hold: HOLDING }, async (rig) => {
    const first = svcctl(rig, 'run', 'hold', '--server', ...UNGUARDED);
    await rig.untilHolding();
    first.child.kill('SIGHUP');
    assert.is((await first.done).signal, 'SIGHUP');
    const id = /(r-\d{8}-\d{4}) belongs to svc-server/.exec(first.texts.stderr)?.[1] ?? '';
    assert.is((await rig.run(id)).status, 'running');
    const second = svcctl(rig, 'follow', id);
    await second.until('SET pump 20 %');
    await rig.ask(`POST /api/runs/${id}/abort`);
    const { code, stdout } = await second.done;
    assert.is(code, 130);
    assert.match(stdout, '[aborted] Hold');
    const again = await svcctl(rig, 'follow', id, '-q').done;
    assert.equal([again.code, again.stdout.trim().split('\n').length], [130, 1]);
  }));

test('REC-003 a passed run whose ending the disk does not take is an error with exit code 3, and has no report', () =>
  onServerRig({ asks: `${QUICK}  PROMPT 'Is the mask on?'\n` }, async (rig) => {
    const running = svcctl(rig, 'run', 'asks', '--server', ...UNGUARDED, '--json');
    await running.until('prompt 1');
    const id = /(r-\d{8}-\d{4}) belongs to svc-server/.exec(running.texts.stderr)?.[1] ?? '';
    const inTheWay = join(rig.runsFolder, id, 'result.json');
    mkdirSync(inTheWay);
    await rig.ask(`POST /api/runs/${id}/prompts/1`, { answer: 'yes' });
    const { code, stdout, stderr } = await running.done;
    assert.is(code, 3, stderr);
    const run = JSON.parse(stdout) as Json;
    assert.equal([run.status, run.ok], ['error', false]);
    assert.match(JSON.stringify(run.errors), 'record_unwritable');
    assert.match(stderr, 'the record of the run could not be ended');
    rmdirSync(inTheWay);
    const report = await rig.ask(`GET /api/runs/${id}/report`);
    assert.equal([report.status, report.body.code], [409, 'run_not_finished'], JSON.stringify(report.body));
  }));

test('REC-004 follow tries again while the server is started anew, and reports how the interrupted run ended', () =>
  onServerRig({ hold: HOLDING }, async (rig) => {
    const id = await rig.begin('hold');
    await rig.untilHolding();
    const port = new URL(rig.server.url).port;
    const following = svcctl(rig, 'follow', id);
    await following.until('SET pump 20 %');
    await end(rig.server, 'SIGKILL');
    await following.until('trying again');
    await rig.restart({}, ['--port', port]);
    const { code, stdout } = await following.done;
    assert.is(code, 130);
    assert.match(stdout, 'the record ends here');
  }));

test.run();
