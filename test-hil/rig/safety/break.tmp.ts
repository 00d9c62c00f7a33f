import { tortureSafety } from './matrix.ts';
const r = await tortureSafety({ share: 0, most: 1, seed: 1, rigs: 1, only: (c) => c.victim === 'svcctl' && c.end === 'SIGKILL' && c.boundary === 8 && c.scenario === 'valve-smoke' });
for (const x of r) console.log(x.safeAfterMs, x.broken.map((b) => b.slice(0, 120)));
process.exit(0);
