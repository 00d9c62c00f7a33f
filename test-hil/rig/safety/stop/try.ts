import { fork } from 'node:child_process';
import { request } from 'node:http';
import { SafetyRig } from '../safety-rig.ts';
import { benchZero, machineMs } from './machine-time.ts';
import { floorOf, framesOf } from './wire.ts';

const rig = await SafetyRig.open({ services: ['svc-bridge'], benchArgs: ['--line-rate'] });
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
const saturated = process.argv[2] === 'sat';
let load: any;
try {
  const zero = await benchZero(rig.benchUrl);
  console.log(zero);
  if (saturated)
    load = fork(new URL('./load.ts', import.meta.url).pathname, [rig.bridgeUrl], {
      execArgv: ['--import', 'tsx'],
    });
  await sleep(1000);
  const res: any[] = [];
  for (let i = 0; i < Number(process.argv[3] ?? 30); i++) {
    if (!saturated) {
      await Promise.all([
        fetch(rig.bridgeUrl + '/api/v1/hardware/valve/valve-1?value=true', { method: 'POST' }),
        fetch(rig.bridgeUrl + '/api/v1/hardware/pump?power_pct=20', { method: 'POST' }),
      ]);
      await sleep(20 + Math.random() * 40);
    } else await sleep(250 + Math.random() * 150);
    rig.trace.advance();
    const t0 = machineMs();
    const body: any = await new Promise((resolve, reject) => {
      const r = request(
        rig.bridgeUrl + '/api/v1/hardware/safe-state',
        { method: 'POST', agent: false },
        (m) => {
          let s = '';
          m.on('data', (d) => (s += d));
          m.on('end', () => resolve(JSON.parse(s)));
        },
      );
      r.on('error', reject);
      r.end();
    });
    const all = machineMs() - t0;
    await sleep(20);
    const entries = rig.trace.advance();
    const fr = framesOf(entries, zero);
    const off = fr.find((f) => f.isAllOff && f.beganMs >= t0);
    if (off) res.push([off.beganMs - t0, off.endedMs - t0, floorOf(fr, t0, 8).lastMs, all]);
    if (i < 2) {
      console.log(body.steps.map((s: any) => s.name + ' ' + s.duration_ms).join(', '));
      for (const e of entries)
        if (e.kind === 'in' || e.kind === 'out' || e.kind === 'coil')
          console.log((e.at_ms + zero.atMs - t0).toFixed(1), e.device, e.kind, e.bytes ?? '');
    }
  }
  for (const k of [0, 1, 2, 3]) {
    const v = res.map((r) => r[k]).sort((a, b) => a - b);
    console.log(
      ['first', 'last', 'floor last', 'answer'][k],
      'p50',
      v[v.length >> 1].toFixed(1),
      'p99',
      v[Math.floor(v.length * 0.99)].toFixed(1),
      'max',
      v.at(-1).toFixed(1),
    );
  }
} finally {
  load?.kill();
  await rig.close();
}
