import { CHIP_SETTINGS_LENGTH, FLASH, STRING_DESCRIPTOR } from '../protocol/flash.ts';
import { NOT_GPIO_DIRECTION, NOT_GPIO_VALUE } from '../protocol/gpio.ts';
import { SRAM_CHIP_LENGTH, SRAM_GPIO_LENGTH } from '../protocol/sram.ts';
import type { Fields } from './i2c-engine.ts';

const PRODUCT_ID = 0x00dd;
/** Factory flash: CDC and security, clock, DAC, interrupt and ADC (source Vrm, 1.024 V), VID, PID, power, mA / 2. */
const flashChip = (productId: number) => [
  ...[0x7c, 0x12, 0x88, 0x6f, 0xd8, 0x04],
  ...[productId & 0xff, productId >> 8, 0x80, 0x32],
];
/** GP0 LED_URX, GP1 LED_UTX, GP2 USBCFG, GP3 LED_I2C: not what a reading needs. */
const FLASH_GPIO = [0x02, 0x03, 0x01, 0x01];
const MANUFACTURER = 'Microchip Technology Inc.';
const PRODUCT = 'MCP2221 USB-I2C/UART Combo';

/** Serial numbers in flash, which differ from chip to chip. */
export interface SerialNumbers {
  factory_serial: string;
  usb_serial: string;
}

const LOAD = 0x80;
const FUNCTION_BITS = 0b111;
const INPUT = 0x08;
const HIGH = 0x10;
const VRM_BITS = 0b0001_1000;
const SOURCE_BIT = 0b0000_0100;

/** Volts of the Vrm choices; 00 is off. */
const VRM_VOLTS = [undefined, 1.024, 2.048, 4.096];

/** Which parts of a 60 the chip is not to follow. */
export interface Stubborn {
  everything: boolean;
  pins: readonly number[];
}

/** SRAM settings, flash and pins of the chip, with its quirks. */
export class ChipMemory {
  readonly #flashChip: readonly number[];
  #clock = 0;
  #dac = 0;
  #interruptAdc = 0;
  #gpio: number[] = [];
  #isVrmOn = false;

  /** @param productId of another kind of chip; default 00DD */
  constructor(productId = PRODUCT_ID) {
    this.#flashChip = flashChip(productId);
    this.powerUp();
  }

  /** SRAM from flash. Quirk (b): the Vrm choice is shown, but has no effect. */
  powerUp(): void {
    const [, clock = 0, dac = 0, interruptAdc = 0] = this.#flashChip;
    this.#clock = clock;
    this.#dac = dac;
    this.#interruptAdc = interruptAdc;
    this.#gpio = [...FLASH_GPIO];
    this.#isVrmOn = false;
  }

  /** 0..7, of GP0..GP3. */
  pinFunction(pin: number): number {
    return (this.#gpio[pin] ?? 0) & FUNCTION_BITS;
  }

  /** What the converters measure against; undefined when the source is Vrm and Vrm is off. @param vdd volts */
  referenceVolts(vdd: number): number | undefined {
    if (!(this.#interruptAdc & SOURCE_BIT)) return vdd;
    return this.#isVrmOn ? VRM_VOLTS[(this.#interruptAdc & VRM_BITS) >> 3] : undefined;
  }

  /** Command 60. */
  setSram(report: Uint8Array, stubborn: Stubborn): Fields {
    if (stubborn.everything) return { 1: 0 };
    const at = (index: number) => report[index] ?? 0;
    if (at(2) & LOAD) this.#clock = at(2) & 0x1f;
    if (at(3) & LOAD) this.#dac = (this.#dac & 0x1f) | ((at(3) & 0b110) << 5) | ((at(3) & 1) << 5);
    if (at(4) & LOAD) this.#dac = (this.#dac & 0xe0) | (at(4) & 0x1f);
    if (at(5) & LOAD) {
      this.#interruptAdc = (this.#interruptAdc & ~(VRM_BITS | SOURCE_BIT)) | ((at(5) & 0b111) << 2);
      this.#isVrmOn = true;
    }
    if (at(6) & LOAD) this.#interruptAdc = (this.#interruptAdc & 0x1f) | ((at(6) & 0b111) << 5);
    if (at(7) & LOAD) {
      this.#gpio = this.#gpio.map((old, pin) => (stubborn.pins.includes(pin) ? old : at(8 + pin) & 0x1f));
      // Quirk (a): a write of pin functions turns Vrm off, also when the same command chose it.
      this.#isVrmOn = false;
      this.#interruptAdc &= ~VRM_BITS;
    }
    return { 1: 0 };
  }

  /** Command 61. */
  getSram(): Fields {
    const chip = [
      this.#flashChip[0] ?? 0,
      this.#clock,
      this.#dac,
      this.#interruptAdc,
      ...this.#flashChip.slice(4),
    ];
    const password = new Array<number>(8).fill(0);
    return fieldsOf(1, [0, SRAM_CHIP_LENGTH, SRAM_GPIO_LENGTH, ...chip, ...password, ...this.#gpio]);
  }

  /** Command 50: pairs of (alter, value) for output and direction, four bytes per pin from [2]. */
  setGpio(report: Uint8Array): Fields {
    const fields: Fields = { 1: 0 };
    for (const pin of [0, 1, 2, 3]) {
      const from = 2 + 4 * pin;
      const [alterValue = 0, value = 0, alterDirection = 0, direction = 0] = report.subarray(from, from + 4);
      const isGpio = this.pinFunction(pin) === 0;
      let settings = this.#gpio[pin] ?? 0;
      if (isGpio && alterValue) settings = value ? settings | HIGH : settings & ~HIGH;
      if (isGpio && alterDirection) settings = direction ? settings | INPUT : settings & ~INPUT;
      this.#gpio[pin] = settings;
      const shown = isGpio
        ? [alterValue, value, alterDirection, direction]
        : new Array<number>(4).fill(NOT_GPIO_VALUE);
      Object.assign(fields, fieldsOf(from, shown));
    }
    return fields;
  }

  /** Command 51. */
  getGpio(): Fields {
    const pairs = this.#gpio.flatMap((settings, pin) =>
      this.pinFunction(pin) === 0
        ? [settings & HIGH ? 1 : 0, settings & INPUT ? 1 : 0]
        : [NOT_GPIO_VALUE, NOT_GPIO_DIRECTION],
    );
    return fieldsOf(1, [0, ...pairs]);
  }

  /** Command B0. */
  readFlash(page: number, { factory_serial, usb_serial }: SerialNumbers): Fields {
    switch (page) {
      case FLASH.chipSettings:
        return fieldsOf(1, [0, CHIP_SETTINGS_LENGTH, 0, ...this.#flashChip]);
      case FLASH.gpioSettings:
        return fieldsOf(1, [0, FLASH_GPIO.length, 0, ...FLASH_GPIO]);
      case FLASH.manufacturer:
        return stringFields(MANUFACTURER);
      case FLASH.product:
        return stringFields(PRODUCT);
      case FLASH.usbSerial:
        return stringFields(usb_serial);
      case FLASH.factorySerial:
        return fieldsOf(1, [0, factory_serial.length, 0, ...Buffer.from(factory_serial, 'latin1')]);
      default:
        return { 1: 1 };
    }
  }
}

function fieldsOf(from: number, bytes: readonly number[]): Fields {
  return Object.fromEntries(bytes.map((byte, index) => [from + index, byte]));
}

function stringFields(text: string): Fields {
  return fieldsOf(1, [0, 2 + 2 * text.length, STRING_DESCRIPTOR, ...Buffer.from(text, 'utf16le')]);
}
