/** A lease expires unnoticed for at most so long. */
export const NOTICED_MS = 250;
/** What was being sent when its authority ended may still reach the device. */
const UNDER_WAY_MS = 50;

/** One request to the bridge, as its sender knows it. Times are those of the day's clock. */
export interface Traffic {
  method: string;
  /** With query. */
  path: string;
  lease: string | undefined;
  sentAt: number;
  /** Undefined while it is unknown what became of it. */
  answeredAt?: number;
  status?: number;
  body?: Record<string, unknown>;
}

interface Claim {
  id: string;
  ttlMs: number;
  takenAt: number;
  /** Last answer by which the bridge took or renewed it. */
  signAt: number;
  /** Given back, revoked, or the bridge died; Infinity before. */
  endedAt: number;
  /** Given back with the rig as it was: from then on that is under the manual hold. */
  isLeftAsIs: boolean;
}

/** An actuation that went for something, `valve-3` for example, or `pump`, or `lung`. */
interface Permission {
  what: string;
  traffic: Traffic;
}

/** Refused by the bridge's rules: no sign that someone commands the rig. */
const NOT_ADMITTED = new Set([
  'lease_held',
  'lease_required',
  'lease_lost',
  'operator_stop',
  'safe_state_in_progress',
  'undervoltage',
  'invalid_parameter',
]);

const FORGOTTEN_MS = 120_000;
/** The bridge answers within so long, or cuts what it was doing. */
const PATIENCE_MS = 10_000;

/**
 * Who may move the rig, from what the people said and were answered: nothing of the bridge's own memory is asked. Where
 * the people cannot know how the bridge stands, they are believed to have authority.
 */
export class PermissionOracle {
  readonly #holdMs: number;
  readonly #claims: Claim[] = [];
  #permissions: Permission[] = [];
  #manualAt = Number.NEGATIVE_INFINITY;
  /** A safe state ended what was claimed by hand. */
  #manualEndedAt = Number.NEGATIVE_INFINITY;
  /** The bridge has said so, and no one has asked it to clear that; Infinity while no stop is in force. */
  #stoppedAt = Number.POSITIVE_INFINITY;
  #clearedAt = Number.NEGATIVE_INFINITY;

  /** @param holdMs of the manual hold */
  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  sent(traffic: Traffic): void {
    const what = wishOf(traffic);
    if (what !== undefined) this.#permissions.push({ what, traffic });
    if (isSafeState(traffic)) this.#endAll(traffic.sentAt);
    if (isClear(traffic)) {
      this.#stoppedAt = Number.POSITIVE_INFINITY;
      this.#clearedAt = traffic.sentAt;
    }
    const id = leaseIn(traffic);
    if (traffic.method === 'DELETE' && id !== undefined) this.#end(id, traffic.sentAt);
  }

  answered(traffic: Traffic): void {
    const { method, path, status = 0, body = {}, answeredAt = 0, sentAt } = traffic;
    const isDone = status >= 200 && status < 300;
    if (isSafeState(traffic) && body.operator_stop && sentAt > this.#clearedAt) this.#stoppedAt = answeredAt;
    if (method === 'POST' && path === '/api/v1/lease' && isDone)
      this.#claims.push({
        id: String(body.lease_id),
        ttlMs: Number(body.ttl_ms),
        takenAt: sentAt,
        signAt: answeredAt,
        endedAt: Number.POSITIVE_INFINITY,
        isLeftAsIs: false,
      });
    const id = leaseIn(traffic);
    const claim = this.#claims.find((one) => one.id === id);
    if (claim && path.endsWith('/renew')) {
      if (isDone) claim.signAt = answeredAt;
      else if (status === 410) claim.endedAt = Math.min(claim.endedAt, answeredAt);
    }
    if (claim && method === 'DELETE' && isDone && path.endsWith('safe=false')) {
      claim.isLeftAsIs = true;
      this.#manualAt = answeredAt;
    }
    // By hand: what was let through to a device without a lease, also when the device then refused it.
    const isHardware = method === 'POST' && /\/hardware\/(valve|pump|lung)/.test(path);
    if (
      isHardware &&
      !NOT_ADMITTED.has(String(body.code)) &&
      traffic.lease === undefined &&
      answeredAt > this.#manualEndedAt
    )
      this.#manualAt = answeredAt;
  }

  /** The bridge's process is gone and all it knew, or it says that it has made the rig safe. */
  allEnded(at: number): void {
    this.#endAll(at);
  }

  /** Why this may not have been switched on now; undefined when somebody may. */
  whyNot(what: string, at: number): string | undefined {
    this.#permissions = this.#permissions.filter(
      ({ traffic }) => at - traffic.sentAt < FORGOTTEN_MS || what === 'lung',
    );
    if (at > this.#stoppedAt) return "an operator's stop is in force";
    const permissions = this.#permissions.filter((wish) => wish.what === what && isUnderWay(wish, at));
    if (permissions.length === 0) return 'nobody has commanded it';
    const refusals = permissions.map(({ traffic }) => this.#refusal(traffic, at));
    return refusals.includes(undefined) ? undefined : refusals.join('; ');
  }

  /** When the last authority ended, if none is left at `at`; undefined while there is one. */
  endedBefore(at: number): number | undefined {
    const isBeingCommanded = this.#permissions.some(
      ({ traffic }) =>
        traffic.lease === undefined &&
        traffic.answeredAt === undefined &&
        traffic.sentAt > this.#manualEndedAt &&
        at - traffic.sentAt < PATIENCE_MS,
    );
    if (isBeingCommanded) return undefined;
    const ends = [this.#manualEnd(), ...this.#claims.map(endOf)];
    return ends.some((end) => end > at) ? undefined : Math.max(...ends);
  }

  #refusal({ lease, sentAt }: Traffic, at: number): string | undefined {
    if (lease !== undefined) {
      const claim = this.#claims.find(({ id }) => id === lease);
      if (!claim) return 'its lease was never given';
      const end = endOf(claim);
      // Whoever takes the lease before the hold ends takes the rig as it is.
      if (claim.isLeftAsIs && this.endedBefore(at) === undefined) return undefined;
      return at <= end + UNDER_WAY_MS ? undefined : `its lease had ended ${Math.round(at - end)} ms before`;
    }
    const other = this.#claims.find(
      ({ takenAt, ...rest }) => takenAt < sentAt && endOf(rest) - NOTICED_MS > at,
    );
    if (other) return `by hand, while somebody had a lease`;
    const manualEnd = this.#manualEndedAt;
    return sentAt < manualEnd && at > manualEnd + UNDER_WAY_MS
      ? 'it was superseded by a safe state'
      : undefined;
  }

  #manualEnd(): number {
    const end = this.#manualAt + this.#holdMs + NOTICED_MS;
    return this.#manualEndedAt > this.#manualAt ? Math.min(end, this.#manualEndedAt) : end;
  }

  #endAll(at: number): void {
    for (const claim of this.#claims) claim.endedAt = Math.min(claim.endedAt, at);
    this.#manualEndedAt = at;
    const oldest = this.#claims.length - 50;
    if (oldest > 0) this.#claims.splice(0, oldest);
  }

  #end(id: string, at: number): void {
    const claim = this.#claims.find((one) => one.id === id);
    if (claim) claim.endedAt = Math.min(claim.endedAt, at);
  }
}

const endOf = ({ signAt, ttlMs, endedAt }: Pick<Claim, 'signAt' | 'ttlMs' | 'endedAt'>): number =>
  Math.min(endedAt, signAt + ttlMs + NOTICED_MS);

const isSafeState = ({ method, path }: Traffic) =>
  method === 'POST' && /\/hardware\/safe-state(\?|$)/.test(path);

const isClear = ({ method, path }: Traffic) => method === 'POST' && path.endsWith('/operator-stop/clear');

const leaseIn = ({ path }: Traffic): string | undefined => /\/lease\/([^/?]+)/.exec(path)?.[1];

/** A lung goes on by itself after its start; the others move while their command is under way. */
function isUnderWay({ what, traffic }: Permission, at: number): boolean {
  if (traffic.sentAt > at) return false;
  const { answeredAt, status = 0 } = traffic;
  if (what === 'lung') return answeredAt === undefined || answeredAt >= at || status === 200;
  return answeredAt === undefined || answeredAt >= at;
}

/** What a request wants to be on; undefined for all that only reads or switches off. */
function wishOf({ method, path }: Traffic): string | undefined {
  if (method !== 'POST') return undefined;
  const valve = /\/hardware\/valve\/(valve-\d)\?value=true$/.exec(path)?.[1];
  if (valve !== undefined) return valve;
  if (/\/hardware\/pump\?/.test(path))
    return /(power_pct|flow_lpm)=0(\.0*)?$/.test(path) ? undefined : 'pump';
  return /\/hardware\/lung\?/.test(path) ? 'lung' : undefined;
}
