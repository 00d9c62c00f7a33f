import type { Setup } from '../transports/memory/usb-pipe.ts';
import type { LineSettings } from './line-settings.ts';

/** A twin at the other end of a serial line. Framing and timing of the answers are its own. */
export interface SerialTwin {
  /** Where its bytes go; a later call replaces an earlier one. */
  connect(send: (bytes: Uint8Array) => void): void;
  receive(bytes: Uint8Array): void;
  /** How the host's end of the line is set; a device with other settings receives only garbage. */
  setLine?(settings: Partial<LineSettings>): void;
}

/** A twin behind one HID interface. */
export interface HidTwin {
  /** Where its IN reports go, 64 bytes each from a sound device. */
  connect(send: (report: Uint8Array) => void): void;
  /** @param report the 64 bytes of an OUT report, without a report id */
  receive(report: Uint8Array): void;
}

/** A twin behind endpoint 0 of a USB device. */
export interface UsbTwin {
  /** @returns the data stage, empty for an OUT request; undefined is a STALL */
  control(setup: Setup): Uint8Array | undefined;
  /** How long the answer to the last request is held back, milliseconds; Infinity: for ever. Default 0. */
  readonly answerDelayMs?: number;
}

/** Why a twin on an I2C bus carries out no transfer. */
export type I2cRefusal = 'nack' | 'permission_denied';

export type I2cTwinAnswer = { ok: true; bytes: Uint8Array } | { ok: false; error: I2cRefusal };

/** A twin at one address of an I2C bus. */
export interface I2cTwin {
  /** Takes `write` (when not empty), then gives `readCount` bytes. */
  transfer(write: Uint8Array, readCount: number): I2cTwinAnswer;
}
