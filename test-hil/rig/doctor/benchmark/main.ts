import { benchConfig } from '../../../../src/cli/start/bench-config.ts';
import { seededRandom } from '../../../../src/lib/random/seeded-random.ts';
import { temporaryFolder } from '../../../../src/test-kit/end-with-parent.ts';
import { HostTree } from '../../../../src/test-kit/transports/host-tree.ts';
import { launch } from '../../bench/program.ts';
import { onlyDocument } from '../doctor-rig.ts';
import { FAULTS, type Fault, inOrder } from './faults.ts';
import { type Examination, FaultyRig, type Finding } from './faulty-rig.ts';

// npm run bench:doctor [-- PAIRS [SEED [NAME]]]: faults injected into a rig of processes and twins, then svcctl doctor as it is built.
// How often is the cause the first finding, and does it find anything where nothing is wrong?

/** True of every bench, and of a machine whose Node is old. */
const TRUE_ANYWHERE = ['bench_in_use', 'node_end_of_life', 'owner_scan_incomplete'];
/** What a machine without a rig lacks. */
const WITHOUT_RIG = ['config_unavailable', 'firmware_unreachable', 'modbus_not_detected'];

const [pairs = 32, seed = 1] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4];

interface Case {
  faults: readonly Fault[];
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const nameOf = ({ faults }: Case) => faults.map(({ name }) => name).join(' + ');
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** What a person reads: findings that no other one explains, without what is true anywhere. */
const headsOf = (issues: readonly Finding[]): Finding[] =>
  issues
    .filter(({ caused_by }) => !issues.some(({ code }) => code === caused_by))
    .filter(({ code }) => !TRUE_ANYWHERE.includes(code));
const codesOf = (issues: readonly Finding[]): string[] => headsOf(issues).map(({ code }) => code);

function names(finding: Finding | undefined, { causes }: Fault): boolean {
  if (finding === undefined) return false;
  return causes.some((cause) => {
    const [code, word = ''] = cause.split(' ');
    return finding.code === code && finding.message.includes(word);
  });
}

function draw(count: number): Case[] {
  const random = seededRandom(seed);
  const one = () => FAULTS[Math.floor(random() * FAULTS.length)] as Fault;
  return Array.from({ length: count }, () => {
    const first = one();
    let second = one();
    while (second.places.some((place) => first.places.includes(place))) second = one();
    return { faults: [first, second] };
  });
}

/** An examination that takes longer has swept a silent line; a person has the first findings before that. */
const SWEPT_MS = 5000;

/** @returns milliseconds until a person has findings, of each examination */
async function judge(rig: FaultyRig, title: string, cases: readonly Case[]): Promise<number[]> {
  const times: number[] = [];
  let first = 0;
  let named = 0;
  for (const one of cases) {
    let found: Examination;
    let readAt: number;
    try {
      for (const fault of inOrder(one.faults)) await fault.inject(rig);
      found = await rig.examine();
      readAt = found.tookMs > SWEPT_MS ? await rig.untilFindings() : found.tookMs;
    } finally {
      await rig.renew();
    }
    times.push(readAt);
    const heads = headsOf(found.issues);
    const isFirst = one.faults.some((fault) => names(heads[0], fault));
    const isNamed = one.faults.every((fault) => found.issues.some((issue) => names(issue, fault)));
    if (isFirst) first++;
    if (isNamed) named++;
    const mark = isFirst ? (isNamed ? 'ok  ' : 'ok -') : 'MISS';
    say(
      `  ${mark} ${seconds(readAt).padStart(6)} ${seconds(found.tookMs).padStart(6)}  ${nameOf(one)}: ${codesOf(found.issues).join(', ') || 'nothing'}`,
    );
  }
  const share = (part: number) => `${((100 * part) / cases.length).toFixed(1)} %`;
  say(
    `${title}: ${cases.length} cases, the cause is the first finding in ${share(first)}, every cause is named in ${share(named)}`,
  );
  return times;
}

async function onMachineWithoutRig(): Promise<void> {
  const tree = new HostTree();
  const folder = temporaryFolder('no-rig-');
  const env = {
    SVC_HOST_ROOT: tree.root,
    SVC_STATE_DIR: folder,
    SVC_CONFIG_PATH: '',
    SVC_FIRMWARE_URL: 'http://127.0.0.1:9',
  };
  const ended = await launch('svcctl', ['doctor', '--json'], env).ended;
  const found = codesOf(onlyDocument(ended).issues as Finding[]);
  say(
    `machine without a rig: false findings: ${found.filter((code) => !WITHOUT_RIG.includes(code)).join(', ') || 'none'}`,
  );
  tree.remove();
}

const isWanted = ({ name }: Fault) => only === undefined || name.includes(only);
await onMachineWithoutRig();
const rig = await FaultyRig.open(benchConfig);
try {
  const healthy: Examination[] = [];
  for (let count = 0; count < 5; count++) healthy.push(await rig.examine());
  const found = new Set(healthy.flatMap(({ issues }) => codesOf(issues)));
  say(
    `healthy rig: false findings: ${[...found].join(', ') || 'none'}; ${seconds(median(healthy.map(({ tookMs }) => tookMs)))}`,
  );
  const singles = FAULTS.filter(isWanted).map((fault) => ({ faults: [fault] }));
  const times = await judge(rig, 'single faults', singles);
  if (only === undefined) times.push(...(await judge(rig, `pairs of seed ${seed}`, draw(pairs))));
  say(
    `faulty rigs, until a person has findings: median ${seconds(median(times))}, longest ${seconds(Math.max(...times))}`,
  );
} finally {
  await rig.close();
}
