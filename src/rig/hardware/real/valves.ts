import type { Clock } from '../../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../../lib/quantity.ts';
import type { StepResult } from '../../safe-state/safe-state.ts';
import { type Component, VALVES_PER_BOARD, type ValvePort } from '../ports.ts';
import type { ValveDevice } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, readFrom, safeStep, slotLife, slotOf } from './access.ts';
import { realComponent } from './component.ts';
import { exchange, type ValveDriver } from './drivers.ts';

/** Inrush current: valves open at least this far apart. Closing is immediate. */
const OPEN_SPACING_MS = 100;

/** One board of eight valves, on a Modbus line of this process. */
export interface ValveBoard {
  id: string;
  access: DeviceAccess<ValveDriver>;
}

type StepCaps = Readonly<Record<keyof ValveDevice['steps'], number>>;

/**
 * The valves of all boards, one after the other: eight for each board up to the last one that is configured.
 * @param capMs of each step of the safe state
 */
export function drivenValves(boards: readonly ValveBoard[], clock: Clock, capMs: StepCaps): ValveDevice {
  const used = boards.filter(
    (_, index) => index === 0 || boards.slice(index).some(({ access }) => access.kind !== 'not_configured'),
  );
  const lives = used.map(({ access }) => slotLife(access));
  return {
    open: async () => {
      await Promise.all(lives.map((life) => life.open()));
    },
    close: async () => {
      await Promise.all(lives.map((life) => life.close()));
    },
    prepare: async () => {
      const ensure = ({ access }: ValveBoard) =>
        access.kind === 'slot' ? access.slot.ensure().catch(() => {}) : undefined;
      await Promise.all(used.map(ensure));
    },
    port: valvePort(used, clock),
    components: used.map((board) => valveComponent(board, clock)),
    steps: valveSteps(used, clock, capMs),
  };
}

function valvePort(boards: readonly ValveBoard[], clock: Clock): ValvePort {
  let lastOpenedAt = Number.NEGATIVE_INFINITY;
  const origins = boards.map(({ access }) => originOf(access));
  const boardAt = (index: number): ValveBoard => {
    const board = boards[index];
    if (!board) throw new RangeError(`there is no valve board ${index}`);
    return board;
  };
  const isLeftOut = ({ access }: ValveBoard) =>
    access.kind === 'disabled' || access.kind === 'not_configured';
  const unknown = new Array<undefined>(VALVES_PER_BOARD).fill(undefined);
  const read = async (board: ValveBoard, signal?: AbortSignal, withinMs?: Milliseconds) => {
    if (isLeftOut(board) && !boards.every(isLeftOut)) return unknown;
    const slot = slotOf(board.access, board.id);
    const ask = (driver: ValveDriver) =>
      withinMs === undefined
        ? driver.readOutputs(exchange('normal', signal))
        : driver.watchOutputs({ withinMs, ...(signal ? { signal } : {}) });
    return readFrom(slot, ask, { clock, signal });
  };
  return {
    origin: {
      mock: false,
      get bench() {
        return origins.some(({ bench }) => bench);
      },
    },
    set: async (coil, open, signal) => {
      const board = boardAt(Math.floor(coil / VALVES_PER_BOARD));
      const slot = slotOf(board.access, board.id);
      if (open) {
        const waitMs = lastOpenedAt + OPEN_SPACING_MS - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
      }
      const options = exchange(open ? 'normal' : 'safe', signal);
      await slot.use((driver) => driver.setOutput(coil % VALVES_PER_BOARD, open, options));
      if (open) lastOpenedAt = clock.monotonic();
      return { verified: true };
    },
    read: async (signal) => (await Promise.all(boards.map((board) => read(board, signal)))).flat(),
    readBoard: async (index, { withinMs, signal } = {}) => read(boardAt(index), signal, withinMs),
  };
}

function valveSteps(boards: readonly ValveBoard[], clock: Clock, capMs: StepCaps): ValveDevice['steps'] {
  return {
    valves_off: (signal) =>
      onEachBoard(boards, capMs.valves_off, signal, clock, async (driver, _, stop) => {
        await driver.allOff(exchange('safe', stop));
        return 'all outputs off, echo and read-back agree';
      }),
    valves_verify: (signal) =>
      onEachBoard(boards, capMs.valves_verify, signal, clock, async (driver, id, stop) => {
        const outputs = await driver.readOutputs(exchange('safe', stop));
        const first = 1 + VALVES_PER_BOARD * boards.findIndex((board) => board.id === id);
        const open = outputs.flatMap((isOn, coil) => (isOn === false ? [] : [`valve-${first + coil}`]));
        if (open.length === 0) return 'FC01 reads 0 for all eight outputs';
        throw new RigError('valve_unverified', id, `still open by read-back: ${open.join(', ')}`);
      }),
  };
}

/**
 * A step of the safe state on every board, whatever the others give. Boards on one line take turns: those that answered
 * last go first, and each has its share of the time, so that a silent board never keeps the valves of another one open.
 */
async function onEachBoard(
  boards: readonly ValveBoard[],
  capMs: Milliseconds,
  signal: AbortSignal,
  clock: Clock,
  task: (driver: ValveDriver, id: string, signal: AbortSignal) => Promise<string>,
): Promise<StepResult> {
  const isReady = ({ access }: ValveBoard) => access.kind === 'slot' && access.slot.state === 'ready';
  const placeOf = ({ access }: ValveBoard) => (access.kind === 'slot' ? access.path : null);
  const inTurn = [...boards].sort((a, b) => Number(isReady(b)) - Number(isReady(a)));
  const results = await Promise.allSettled(
    inTurn.map(async (board) => {
      const { id, access } = board;
      const place = placeOf(board);
      const onOneLine = inTurn.filter((other) => placeOf(other) === place);
      if (place === null || onOneLine.length === 1)
        return safeStep(access, id, signal, (driver) => task(driver, id, signal));
      const shareMs = (capMs * (onOneLine.indexOf(board) + 1)) / onOneLine.length;
      const share = timeShare(shareMs, signal, clock);
      try {
        return await safeStep(access, id, share.signal, (driver) => task(driver, id, share.signal));
      } finally {
        share.end();
      }
    }),
  );
  const failed = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failed.length > 0) throw failureOf(failed);
  const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const driven = done.filter(({ status }) => status === 'done');
  return driven[0]
    ? { ...driven[0], detail: [...new Set(driven.map(({ detail }) => detail))].join('; ') }
    : done[0]!;
}

/**
 * One error for what failed on several boards: of a kind that may pass where one is, since the step is then tried
 * again.
 */
function failureOf(failed: readonly unknown[]): unknown {
  const codeOf = (error: unknown) => (error instanceof CodedError ? error.code : undefined);
  const passing = ['held_by_other', 'device_unavailable'];
  const [first] = [...failed].sort(
    (a, b) => Number(passing.includes(codeOf(b) ?? '')) - Number(passing.includes(codeOf(a) ?? '')),
  );
  // Who holds a port is asked of the error itself.
  if (failed.length === 1 || !(first instanceof RigError)) return first;
  const messages = new Set(failed.map(messageOf));
  return new RigError(first.code, first.device, [...messages].join('; '), first);
}

/** A signal that aborts with another one, or when a share of the time is over. */
function timeShare(
  ms: Milliseconds,
  whole: AbortSignal,
  clock: Clock,
): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController();
  const abort = () => stop.abort(whole.reason);
  if (whole.aborted) abort();
  whole.addEventListener('abort', abort, { once: true });
  const cancel = clock.after(ms, () => stop.abort(new Error(`not done within ${Math.round(ms)} ms`)));
  const end = () => {
    cancel();
    whole.removeEventListener('abort', abort);
  };
  return { signal: stop.signal, end };
}

function valveComponent({ id, access }: ValveBoard, clock: Clock): Component {
  return realComponent({
    id,
    access,
    clock,
    probe: async (driver, signal) => {
      await driver.checkHealth(signal);
      return ['read_coils answered', ...driver.warnings].join('; ');
    },
    explain: explainModbus,
  });
}

/** Silence on an open port is distinguished from a port that cannot be opened and from a wrong answer. */
function explainModbus(error: CodedError): { code: string; message: string } | undefined {
  if (error.code === 'valve_mode_not_normal' || error.code === 'superseded') return undefined;
  if (error.code === 'device_timeout') {
    return {
      code: 'modbus_no_response',
      message: 'read_coils timed out; USB-serial adapter visible, RTU module did not answer',
    };
  }
  if (error.code === 'device_unavailable') return undefined;
  return { code: 'modbus_read_failed', message: `read_coils failed; ${error.message}` };
}
