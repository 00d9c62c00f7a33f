import { Dfr1184 } from '../../devices/dfr1184/driver.ts';
import { CONVERSION_MS } from '../../devices/dfr1184/twin.ts';
import { LONGEST_ROW, Mcp2221a } from '../../devices/mcp2221a/driver.ts';
import { openByteTransport, openHidTransport } from '../../transports/index.ts';
import { startBench } from './bench-program.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const HID_ROUND_TRIP_MS = 2;
const HID_AIM = 450;
const UART_AIM = 0.95;
const UART_CHARACTER_MS = 10_000 / 9600;
/** 20 ms, in which the selection goes out; request, conversion, sample; 5 ms of listening. */
const UART_SAMPLE_MS = 20 + 3 * UART_CHARACTER_MS + CONVERSION_MS + 3 * UART_CHARACTER_MS + 5;

interface Rate {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of this process for one reading, microseconds. */
  cpuUs: number;
}

/** Calls `read` for `seconds`. @param read one call @param readings how many readings a call gives */
async function measure(read: () => Promise<unknown>, seconds: number, readings = 1): Promise<Rate> {
  const durations: number[] = [];
  for (let warm = 0; warm < 3; warm++) await read();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let last = startedAt;
  while (last - startedAt < seconds * 1000) {
    await read();
    const now = performance.now();
    durations.push((now - last) / readings);
    last = now;
  }
  const { user, system } = process.cpuUsage(cpu);
  const count = durations.length * readings;
  durations.sort((a, b) => a - b);
  const at = (share: number) => durations[Math.floor(share * (durations.length - 1))] ?? Number.NaN;
  return {
    perSecond: count / ((last - startedAt) / 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuUs: (user + system) / count,
  };
}

function row(name: string, { perSecond, p50Ms, p99Ms, cpuUs }: Rate, limitPerSecond: number): void {
  say(
    `${name.padEnd(46)} ${perSecond.toFixed(1).padStart(6)}/s   limit ${limitPerSecond.toFixed(1).padStart(6)}/s   ` +
      `ratio ${(perSecond / limitPerSecond).toFixed(3)}   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms   ` +
      `CPU ${cpuUs.toFixed(0)} us`,
  );
}

async function benchHid(seconds: number): Promise<boolean> {
  const twins = await startBench(['--only', 'usbhid']);
  const adc = new Mcp2221a(openHidTransport(twins.address('usbhid')), {});
  try {
    await adc.open();
    const limit = 1000 / HID_ROUND_TRIP_MS;
    const inRows = await measure(() => adc.readMany(LONGEST_ROW), seconds, LONGEST_ROW);
    const single = await measure(() => adc.readAll(), seconds);
    row(`USB HID, rows of ${LONGEST_ROW} readings of G1..G3`, inRows, limit);
    row('USB HID, single readings of G1..G3', single, limit);
    return inRows.perSecond >= HID_AIM;
  } finally {
    await adc.close();
    await twins.end();
  }
}

async function benchUart(seconds: number): Promise<boolean> {
  const twins = await startBench(['--only', 'uart', '--line-rate']);
  const adc = new Dfr1184(openByteTransport(twins.address('uart'), { baud: 9600 }));
  try {
    await adc.open();
    const limit = 1000 / UART_SAMPLE_MS;
    const rate = await measure(() => adc.read(1), seconds);
    row('UART, samples of AIN1 at 9600 8N1', rate, limit);
    return rate.perSecond >= UART_AIM * limit;
  } finally {
    await adc.close();
    await twins.end();
  }
}

/** `npm run bench:adc`: both converters through their twins in another process, beside what bus and module allow. */
async function main(): Promise<void> {
  say(
    `limits: a HID round trip of ${HID_ROUND_TRIP_MS} ms at 1 ms polling; a UART sample of ${UART_SAMPLE_MS.toFixed(2)} ms,`,
  );
  say(`of which ${CONVERSION_MS} ms are the module's conversion as the twin assumes it`);
  const hid = await benchHid(5);
  const uart = await benchUart(5);
  say(
    `HID at least ${HID_AIM}/s: ${hid ? 'met' : 'NOT met'}; UART at least ${UART_AIM * 100} % of the ceiling: ${uart ? 'met' : 'NOT met'}`,
  );
  if (!(hid && uart)) process.exitCode = 1;
}

void main();
