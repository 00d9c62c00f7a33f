import { simulateDay } from '/work/main/src/services/bridge/simulated-day/simulated-day.ts';

const lines: string[] = [];
const r = await simulateDay({
  hours: Number(process.argv[2]),
  seed: Number(process.argv[3]),
  told: (l: string) => lines.push(l),
} as any);
const first = r.violations[Number(process.argv[4] ?? 0)];
console.log(r.violations.length, first);
if (first) {
  const t = Number(first.split(' ')[0]);
  const w = Number(process.argv[5] ?? 15);
  for (const l of lines) {
    const x = Number(l.split(' ')[0]);
    if (x > t - w && x < t + 2) console.log(l.slice(0, 220));
  }
}
