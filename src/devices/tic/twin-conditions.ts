import { errorMask } from './errors.ts';

const HOLD_OFF_MS = 200;
const AUTO_CLEAR_MS = 500;

/** What the conditions depend on. Voltages in millivolt. */
export interface Surroundings {
  vinMv: number;
  killSwitch: boolean;
  driverFault: boolean;
  safeStartEnabled: boolean;
  autoClearDriverError: boolean;
  commandTimeoutMs: number;
  lowVinTimeoutMs: number;
  lowVinShutoffMv: number;
  lowVinStartupMv: number;
}

/** The twin's error conditions: which are on, and when the next one comes or goes by itself. */
export class Conditions {
  #heardMs: number;
  #deenergized = false;
  #driverLatched = false;
  #driverClearMs = 0;
  #lowSinceMs: number | undefined;
  #lowVin = false;
  #safeStart = true;
  #holdOffUntilMs = 0;

  constructor(nowMs: number) {
    this.#heardMs = nowMs;
  }

  /** A command that the command timeout counts from. */
  heard(ms: number): void {
    this.#heardMs = ms;
  }

  energize(on: boolean): void {
    this.#deenergized = !on;
  }

  exitSafeStart(ms: number): void {
    this.#safeStart = false;
    this.#holdOffUntilMs = ms + HOLD_OFF_MS;
  }

  enterSafeStart(ms: number): void {
    this.#safeStart = true;
    this.#holdOffUntilMs = ms;
  }

  clearDriverError(): void {
    this.#driverLatched = false;
  }

  /** @returns bits of the error status at `ms` */
  at(ms: number, around: Surroundings, wasNormal: boolean): number {
    this.#watchDriver(ms, around);
    this.#watchVin(ms, around);
    const timeoutMs = around.commandTimeoutMs;
    let errors = 0;
    if (this.#deenergized) errors |= errorMask('intentionally_deenergized');
    if (this.#driverLatched) errors |= errorMask('motor_driver_error');
    if (this.#lowVin) errors |= errorMask('low_vin');
    if (around.killSwitch) errors |= errorMask('kill_switch');
    if (timeoutMs > 0 && ms - this.#heardMs >= timeoutMs) errors |= errorMask('command_timeout');
    if ((!wasNormal || errors !== 0) && ms >= this.#holdOffUntilMs) this.#safeStart = true;
    if (around.safeStartEnabled && this.#safeStart) errors |= errorMask('safe_start_violation');
    if (!around.safeStartEnabled) this.#safeStart = false;
    return errors;
  }

  /** Moments after `ms` at which a bit may change although nothing happens. */
  changesMs(around: Surroundings): number[] {
    const moments = [this.#holdOffUntilMs, this.#driverClearMs];
    if (around.commandTimeoutMs > 0) moments.push(this.#heardMs + around.commandTimeoutMs);
    if (this.#lowSinceMs !== undefined) moments.push(this.#lowSinceMs + around.lowVinTimeoutMs);
    return moments;
  }

  #watchDriver(ms: number, { driverFault, autoClearDriverError }: Surroundings): void {
    if (driverFault) {
      this.#driverLatched = true;
      this.#driverClearMs = ms + AUTO_CLEAR_MS;
    } else if (this.#driverLatched && autoClearDriverError && ms >= this.#driverClearMs) {
      this.#driverLatched = false;
    }
  }

  #watchVin(ms: number, around: Surroundings): void {
    if (around.vinMv >= around.lowVinStartupMv) this.#lowVin = false;
    if (around.vinMv >= around.lowVinShutoffMv) this.#lowSinceMs = undefined;
    else this.#lowSinceMs ??= ms;
    if (this.#lowSinceMs !== undefined && ms - this.#lowSinceMs >= around.lowVinTimeoutMs)
      this.#lowVin = true;
  }
}
