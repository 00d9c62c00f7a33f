import { cpus, loadavg } from 'node:os';
import { RtuLine, type RtuLineOptions } from '../../devices/modbus-rtu/line.ts';
import type { QueuedMaster } from '../../devices/modbus-rtu/queued-master.ts';
import { ModbusTcpMaster } from '../../devices/modbus-tcp/tcp-master.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { openByteTransport } from '../../transports/open.ts';
import { TcpTransport } from '../../transports/tcp/tcp-transport.ts';
import { GapMeter } from './gap-meter.ts';
import { LibmodbusServer, libmodbusMissing, type Place } from './libmodbus.ts';
import { lineLimit } from './line-limit.ts';
import { type Measured, measureLibmodbus, measureOurs, middleOf, type Operation, settle } from './measure.ts';
import { heading, line, percent, type Row, verdict } from './report.ts';
import { LINE_BAUD, runTwins, startTwins, TWIN_ROLE, type Twins } from './twin-process.ts';

const OPERATIONS: { operation: Operation; name: string }[] = [
  { operation: 'read', name: 'read 8 coils (FC01)' },
  { operation: 'write', name: 'write 1 coil (FC05)' },
];
/** In each of the rounds. */
const LINE_TRANSACTIONS = 150;
const FREE_TRANSACTIONS = 8_000;
const WARM_UP_TRANSACTIONS = 10_000;
const AIM_RATIO = 0.99;
const AIM_PER_SECOND = 10_000;

/** The silence required at 19200 bit/s, milliseconds. */
const RULE_MS = 2;
const NO_SILENCE = { minimumSilenceMs: 0, silenceCharacters: 0 };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function withMaster<T>(master: QueuedMaster, work: (master: QueuedMaster) => Promise<T>): Promise<T> {
  await master.open();
  try {
    return await work(master);
  } finally {
    await master.close();
  }
}

const rtu = (path: string, options: Partial<RtuLineOptions> = {}) =>
  new RtuLine({ transport: openByteTransport(path, { baud: LINE_BAUD }), baud: LINE_BAUD, ...options });
/** Peers at a bare pseudo-terminal answer before a line could have carried the request. */
const unpaced = (path: string) => rtu(`serial:${path}?pacing=none`, NO_SILENCE);
const tcp = (port: number) =>
  new ModbusTcpMaster({ transport: new TcpTransport({ host: '127.0.0.1', port }) });
const place = (path: string): Place => ({ kind: 'rtu', path, baud: LINE_BAUD, unit: 1 });

function show(name: string, measured: Measured, limit: number | null): Row {
  const row = { ...measured, name, limit };
  say(line(row));
  return row;
}

/** Both machines' code is compiled by use: what is measured is a service that runs, not one that starts. */
async function warmUp({ warm, free }: Twins): Promise<void> {
  for (const path of [warm, free]) {
    await withMaster(unpaced(path), async (master) => {
      for (const { operation } of OPERATIONS) await measureOurs(master, operation, WARM_UP_TRANSACTIONS);
    });
  }
}

async function atLineRate(twins: Twins, hasPeer: boolean): Promise<string[]> {
  const verdicts: string[] = [];
  for (const { operation, name } of OPERATIONS) {
    say('');
    say(heading(`${name} at ${LINE_BAUD} 8N1`));
    const physical = lineLimit(operation, { baud: LINE_BAUD });
    const variants = [
      {
        name: `ours, silent ${RULE_MS} ms`,
        options: {},
        limit: lineLimit(operation, { baud: LINE_BAUD, silenceMs: RULE_MS }),
      },
      { name: 'ours, silent 3.5 characters', options: { minimumSilenceMs: 0 }, limit: physical },
      { name: 'ours, silence left to the line, as libmodbus does', options: NO_SILENCE, limit: physical },
    ];
    for (const variant of variants) {
      await settle(systemClock);
      const gaps = new GapMeter();
      const options = { ...variant.options, trace: gaps.trace };
      const measured = await withMaster(rtu(twins.line, options), (master) =>
        middleOf(() => measureOurs(master, operation, LINE_TRANSACTIONS)),
      );
      const { perSecond, p50Us } = show(variant.name, measured, variant.limit);
      const ratio = perSecond / variant.limit;
      const ofTheMiddle = 1e6 / p50Us / variant.limit;
      const seen =
        `${perSecond.toFixed(2)} of ${variant.limit.toFixed(2)} transactions/s, ${percent(ratio, 2)}; ` +
        `the middle transaction alone ${percent(ofTheMiddle, 2)}; ` +
        `from reply to request ${gaps.middleMs.toFixed(3)} ms`;
      verdicts.push(verdict(`${name}, ${variant.name}, at least 99 %`, ratio >= AIM_RATIO, seen));
    }
    if (!hasPeer) continue;
    await settle(systemClock);
    show(
      'libmodbus in C',
      await middleOf(() => measureLibmodbus(place(twins.line), operation, LINE_TRANSACTIONS)),
      physical,
    );
  }
  return verdicts;
}

async function withoutLineRate(twins: Twins, hasPeer: boolean): Promise<string[]> {
  const verdicts: string[] = [];
  const ours = async (name: string, master: QueuedMaster, operation: Operation) => {
    await settle(systemClock);
    return show(
      name,
      await withMaster(master, (open) => middleOf(() => measureOurs(open, operation, FREE_TRANSACTIONS))),
      null,
    );
  };
  for (const { operation, name } of OPERATIONS) {
    say('');
    say(heading(`${name}, no line rate`));
    const rows = [await ours('ours, RTU, our twin on a pseudo-terminal', unpaced(twins.free), operation)];
    if (hasPeer) {
      const server = await LibmodbusServer.start('rtu', 1);
      rows.push(
        await ours('ours, RTU, libmodbus server on a pseudo-terminal', unpaced(server.place), operation),
      );
      await server.stop();
      const free = await middleOf(() => measureLibmodbus(place(twins.free), operation, FREE_TRANSACTIONS));
      show('libmodbus in C, our twin on a pseudo-terminal', free, null);
    }
    await ours('ours, TCP, our twin', tcp(twins.tcpPort), operation);
    for (const row of rows) {
      const seen = `${row.perSecond.toFixed(0)} transactions/s, ${row.cpuUs.toFixed(0)} us of CPU each`;
      const reached = row.perSecond >= AIM_PER_SECOND;
      verdicts.push(verdict(`${name}, ${row.name}, at least 10,000/s`, reached, seen));
    }
  }
  return verdicts;
}

/** `npm run bench:modbus`: our masters beside libmodbus, in the same run and over the same bridge. */
async function main(): Promise<void> {
  const missing = libmodbusMissing();
  if (missing !== undefined) say(`without libmodbus as a peer: ${missing}`);
  const hasPeer = missing === undefined;
  const [load = 0] = loadavg();
  say(
    `load before the start: ${load.toFixed(1)} on ${cpus().length} cores; other work makes all times worse`,
  );
  const twins = await startTwins(process.argv[1] ?? '');
  try {
    await warmUp(twins);
    const verdicts = [...(await atLineRate(twins, hasPeer)), ...(await withoutLineRate(twins, hasPeer))];
    say('');
    for (const text of verdicts) say(text);
  } finally {
    await twins.close();
  }
}

void (process.argv[2] === TWIN_ROLE ? runTwins() : main());
