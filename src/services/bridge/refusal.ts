import * as z from 'zod';
import { type FieldFault, HttpError } from '../../lib/http/http-error.ts';
import type { BrokenRule } from '../../rig/interlocks/interlock-rules.ts';
import { stateWord } from '../../rig/interlocks/state-word.ts';
import type { OperatorStop } from '../../rig/safe-state/operator-stop-record.ts';

/** Members of a refusal: what kind of rule refused, and a sentence that says what would allow the actuation. */
export const refusalMembersSchema = z.object({
  rule: z.enum([
    'lease',
    'limit',
    'interlock',
    'supply',
    'mode',
    'calibration',
    'safe_state',
    'operator_stop',
    'manual_hold',
  ]),
  remedy: z.string(),
});
export type RefusalMembers = z.output<typeof refusalMembersSchema>;

/** The interlocks that an actuation would break. */
export const interlocksMember = z.array(
  z.object({
    id: z.string(),
    reason: z.string(),
    missing: z.array(z.object({ id: z.string(), required: z.string(), known: z.string() })),
  }),
);

export const HOW_TO_CLEAR = 'svcctl stop --clear, or POST /api/v1/hardware/operator-stop/clear';
const SAFE_STATE_REMEDY =
  'wait until the safe state has ended, within 5 s, then ask again if it is still wanted';

/** Refusals that the floors below express by their code alone. */
const BY_CODE: Readonly<Record<string, RefusalMembers>> = {
  lease_held: {
    rule: 'lease',
    remedy: 'wait until the lease is given back or ends, or send its id as X-Lease-Id if it is yours',
  },
  lease_required: {
    rule: 'lease',
    remedy: 'take a lease by POST /api/v1/lease and send its id as X-Lease-Id',
  },
  lease_lost: {
    rule: 'lease',
    remedy:
      'take a new lease by POST /api/v1/lease, check the state of the rig, and send what is still needed',
  },
  lease_gone: { rule: 'lease', remedy: 'take a new lease by POST /api/v1/lease' },
  valve_mode_not_normal: {
    rule: 'mode',
    remedy: 'set the mode of every output of the IO module to normal: holding registers 1000-1007 = 0',
  },
  superseded: {
    rule: 'safe_state',
    remedy: 'ask again if it is still wanted: a safe-state command went before it',
  },
};

/** Rule and remedy of a refusal that has nothing but its code; undefined for what is not a refusal by a rule. */
export function refusalMembers(code: string): RefusalMembers | undefined {
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
}

export function undervoltage(): HttpError {
  const members: RefusalMembers = {
    rule: 'supply',
    remedy: 'restore the supply; actuation is enabled again 2 s after it recovers',
  };
  const message =
    'the supply is under voltage, actuation is blocked until it recovers; safe-state commands still pass';
  return new HttpError('undervoltage', message, { members: { ...members } });
}

/** 503: the watchdog relay that carries the supply is open, so that what reads as open or running would not be. */
export function withoutSupply(why: string): HttpError {
  const members: RefusalMembers = {
    rule: 'supply',
    remedy:
      'see svcctl services for svc-guard and svcctl doctor for the relay; the supply is back when the rig is proven safe',
  };
  const message = `the supply of the actuators is off (${why}); nothing is switched on until it is on`;
  return new HttpError('not_safe', message, { members: { ...members } });
}

/** Who stopped the rig, and when. */
export const stoppedText = ({ by, at, reason }: OperatorStop): string =>
  `${by} stopped the rig at ${at} (${reason})`;

/** 409: who clears has not seen the stop that is in force. */
export function anotherStop(stop: OperatorStop): HttpError {
  const remedy = `check the rig, then clear this stop: svcctl stop --clear ${stop.id}`;
  const message = `nothing is cleared: another stop is in force: ${stoppedText(stop)}; ${remedy}`;
  return new HttpError('operator_stop', message, {
    members: { rule: 'operator_stop', remedy, operator_stop: stop },
  });
}

/** 409: an operator stopped the rig, and no one has cleared that. */
export function operatorStopped(stop: OperatorStop): HttpError {
  const members: RefusalMembers = {
    rule: 'operator_stop',
    remedy: `check the rig, then clear the stop: ${HOW_TO_CLEAR}`,
  };
  const message = `${stoppedText(stop)}; nothing is switched on until a person clears the stop: ${HOW_TO_CLEAR}`;
  return new HttpError('operator_stop', message, { members: { ...members, operator_stop: stop } });
}

export function shuttingDown(): HttpError {
  const members: RefusalMembers = { rule: 'safe_state', remedy: 'start the service again' };
  const message = 'the service is shutting down and leaves the rig safe';
  return new HttpError('safe_state_in_progress', message, { members: { ...members } });
}

/** 409: the guard may hold a stop that could not be recorded. @param pid holds the lock of the guard; undefined when unknown */
export function awaitingGuard(pid: number | undefined): HttpError {
  const holder = pid === undefined ? 'the process' : `the process with pid ${pid}`;
  const members: RefusalMembers = {
    rule: 'operator_stop',
    remedy: `ask again; where this stays, end ${holder} that holds the lock of the guard, and start svc-guard again: a guard that responds reports twice a second`,
  };
  const who = pid === undefined ? 'svc-guard' : `svc-guard (pid ${pid})`;
  const message = `${who} has not reported yet whether an operator's stop is in force; nothing is switched on until it has`;
  return new HttpError('safe_state_in_progress', message, { members: { ...members } });
}

/** @param reason why the safe state runs, for example `operator` or `manual_hold_ended` */
export function duringSafeState(reason: string): HttpError {
  const held = reason === 'manual_hold_ended';
  const members: RefusalMembers = held
    ? {
        rule: 'manual_hold',
        remedy: `${SAFE_STATE_REMEDY}; a lease, or a command within SVC_MANUAL_HOLD_S, keeps the actuators as they are`,
      }
    : { rule: 'safe_state', remedy: SAFE_STATE_REMEDY };
  return new HttpError(
    'safe_state_in_progress',
    `the safe state is running (${reason}); try again when it has ended, within 5 s`,
    { members: { ...members } },
  );
}

/** 503: the last safe state is not proven. @param why its steps that failed @param silent plugins that cannot be asked */
export function notSafe(why: string, silent: readonly string[]): HttpError {
  const restore =
    'restore the device; the safe state is repeated at least every 30 s until it is proven, and at once by svcctl stop';
  const members: RefusalMembers = {
    rule: 'safe_state',
    remedy: silent.length === 0 ? restore : `${restore}; ${leaveOut(silent)}`,
  };
  const message = `the rig is not proven safe: ${why}; nothing is switched on until it is`;
  return new HttpError('not_safe', message, { members: { ...members } });
}

/** What a rig does not need must not keep it from every run. */
const leaveOut = (plugins: readonly string[]): string =>
  `if this rig can do without ${plugins.join(' and ')}, disconnect it and set enabled: false for it in svc.yaml`;

/** A setpoint beyond what this rig allows: 422, one entry for each value. */
export function beyondLimit(errors: FieldFault[]): HttpError {
  const members: RefusalMembers = {
    rule: 'limit',
    remedy: errors.map(({ field, message }) => `${field} ${message}`).join('; '),
  };
  return new HttpError('invalid_parameter', members.remedy, { errors, members: { ...members } });
}

/** 409: switching `id` on would break these rules. */
export function interlocked(id: string, broken: readonly BrokenRule[]): HttpError {
  const why = broken.map(
    ({ rule, missing }) =>
      `${rule.id} (${rule.reason}), which needs ${joined(rule.require, missing, 'required')}; known is ${joined('all', missing, 'known')}`,
  );
  const members: RefusalMembers = {
    rule: 'interlock',
    remedy: broken.map((one) => remedyOf(id, one)).join('; '),
  };
  const interlocks: z.output<typeof interlocksMember> = broken.map(({ rule, missing }) => ({
    id: rule.id,
    reason: rule.reason,
    missing: missing.map((one) => ({
      id: one.id,
      required: stateWord(one.id, one.required),
      known: stateWord(one.id, one.known),
    })),
  }));
  const message = `${id} ${stateWord(id, true)} is refused by the interlock ${why.join(', and by ')}`;
  return new HttpError('interlock', message, { members: { ...members, interlocks } });
}

function remedyOf(id: string, { rule, missing }: BrokenRule): string {
  const unknown = missing.some((one) => one.known === undefined)
    ? '; what is unknown becomes known by a command, by GET /api/v1/hardware/valves or by the safe state'
    : '';
  if (rule.states.has(id)) {
    const ends = [...rule.while].map(([one, state]) => `${one} ${stateWord(one, !state)}`);
    return `set ${ends.join(' or ')} first`;
  }
  return `set ${joined(rule.require, missing, 'required')} first${unknown}`;
}

function joined(kind: 'any' | 'all', missing: BrokenRule['missing'], which: 'required' | 'known'): string {
  const words = missing.map((one) => `${one.id} ${stateWord(one.id, one[which])}`);
  return words.join(kind === 'any' ? ' or ' : ' and ');
}
