/** Where and how fast, in microsteps and microsteps per second. */
export interface Kinematics {
  position: number;
  velocity: number;
}

export interface MotionLimits {
  /** Microsteps per second. */
  maxSpeed: number;
  /** Microsteps per second squared. */
  acceleration: number;
  deceleration: number;
}

/** A stretch of constant acceleration in which the direction does not change. */
interface Stretch extends Kinematics {
  acceleration: number;
  /** Seconds from the beginning of the path. */
  from: number;
  to: number;
}

/** A motion as a closed form of time: exact at any moment, however seldom it is asked. */
export interface Path {
  stretches: readonly Stretch[];
  /** Seconds; Infinity for a motion without an end. */
  durationS: number;
  /** Where and how fast it goes on for ever after. */
  end: Kinematics;
}

export const restAt = (position: number): Path => ({
  stretches: [],
  durationS: 0,
  end: { position, velocity: 0 },
});

/** @param seconds since the path began */
export function at(path: Path, seconds: number): Kinematics {
  const stretch = path.stretches.find(({ to }) => seconds < to) ?? forEver(path);
  const t = Math.max(0, seconds - stretch.from);
  return {
    position: stretch.position + stretch.velocity * t + (stretch.acceleration * t * t) / 2,
    velocity: stretch.velocity + stretch.acceleration * t,
  };
}

/** To a place, and to rest there: a trapezoid, or a triangle when the way is short. */
export function pathToPosition(start: Kinematics, target: number, limits: MotionLimits): Path {
  const { maxSpeed, acceleration, deceleration } = limits;
  if (maxSpeed <= 0 && start.velocity === 0) return restAt(start.position);
  const path = new PathMaker(start);
  const isWrongWay = () =>
    path.velocity !== 0 && Math.sign(target - path.position) !== Math.sign(path.velocity);
  const brakingWay = () => path.velocity ** 2 / (2 * deceleration);
  if (isWrongWay() || brakingWay() > Math.abs(target - path.position) + 1e-9) path.toSpeed(0, deceleration);
  if (maxSpeed <= 0) {
    path.toSpeed(0, deceleration);
    return path.done();
  }
  const direction = Math.sign(target - path.position);
  if (direction === 0) return path.done();
  if (Math.abs(path.velocity) > maxSpeed) path.toSpeed(direction * maxSpeed, deceleration);
  const way = Math.abs(target - path.position);
  const speed = Math.abs(path.velocity);
  const peak = Math.sqrt(
    (way + speed ** 2 / (2 * acceleration)) / (1 / (2 * acceleration) + 1 / (2 * deceleration)),
  );
  const cruise = Math.max(speed, Math.min(peak, maxSpeed));
  const accelerating = (cruise ** 2 - speed ** 2) / (2 * acceleration);
  const braking = cruise ** 2 / (2 * deceleration);
  path.toSpeed(direction * cruise, acceleration);
  path.cruise(Math.max(0, way - accelerating - braking) / cruise);
  path.toSpeed(0, deceleration);
  return path.done(target);
}

/** To a velocity, and on with it for ever. */
export function pathToVelocity(start: Kinematics, velocity: number, limits: MotionLimits): Path {
  const wanted = Math.sign(velocity) * Math.min(Math.abs(velocity), limits.maxSpeed);
  const path = new PathMaker(start);
  if (path.velocity !== 0 && Math.sign(wanted) !== Math.sign(path.velocity))
    path.toSpeed(0, limits.deceleration);
  const isFaster = Math.abs(wanted) > Math.abs(path.velocity);
  path.toSpeed(wanted, isFaster ? limits.acceleration : limits.deceleration);
  return path.done();
}

/** Seconds until `boundary` is reached, not before `from`; undefined when it never is. */
export function secondsUntil(path: Path, boundary: number, from: number): number | undefined {
  for (const stretch of [...path.stretches, forEver(path)]) {
    if (stretch.to <= from) continue;
    const t = crossing(stretch, boundary);
    if (t !== undefined && stretch.from + t > from && stretch.from + t <= stretch.to) return stretch.from + t;
  }
  return undefined;
}

function crossing({ position, velocity, acceleration }: Stretch, boundary: number): number | undefined {
  const way = boundary - position;
  if (acceleration === 0) return velocity === 0 ? undefined : positive(way / velocity);
  const root = Math.sqrt(velocity ** 2 + 2 * acceleration * way);
  if (Number.isNaN(root)) return undefined;
  const both = [(-velocity + root) / acceleration, (-velocity - root) / acceleration];
  return both.filter((t) => t >= 0).sort((a, b) => a - b)[0];
}

const positive = (t: number) => (t >= 0 ? t : undefined);

const forEver = ({ end, durationS }: Path): Stretch => ({
  ...end,
  acceleration: 0,
  from: durationS,
  to: Number.POSITIVE_INFINITY,
});

class PathMaker {
  position: number;
  velocity: number;
  readonly #stretches: Stretch[] = [];
  #seconds = 0;

  constructor({ position, velocity }: Kinematics) {
    this.position = position;
    this.velocity = velocity;
  }

  toSpeed(velocity: number, rate: number): void {
    const change = velocity - this.velocity;
    if (change !== 0) this.#add(Math.abs(change) / rate, Math.sign(change) * rate);
    this.velocity = velocity;
  }

  cruise(seconds: number): void {
    if (seconds > 0) this.#add(seconds, 0);
  }

  /** @param position the exact end of a motion that comes to rest */
  done(position = this.position): Path {
    return {
      stretches: this.#stretches,
      durationS: this.#seconds,
      end: { position, velocity: this.velocity },
    };
  }

  #add(seconds: number, acceleration: number): void {
    const { position, velocity } = this;
    this.#stretches.push({
      position,
      velocity,
      acceleration,
      from: this.#seconds,
      to: this.#seconds + seconds,
    });
    this.#seconds += seconds;
    this.position = position + velocity * seconds + (acceleration * seconds * seconds) / 2;
    this.velocity = velocity + acceleration * seconds;
  }
}
