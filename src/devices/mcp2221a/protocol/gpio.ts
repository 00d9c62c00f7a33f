import { byteAt, checkAnswer } from './answer.ts';
import { COMMAND, Request } from './request.ts';

/** Stand for value and direction of a pin that is not a GPIO. */
export const NOT_GPIO_VALUE = 0xee;
export const NOT_GPIO_DIRECTION = 0xef;

export interface GpioPin {
  high: boolean;
  input: boolean;
}

export const getGpio = (): Request => new Request(COMMAND.getGpio);

/** GP0..GP3; null for a pin that is not a GPIO. @throws AnswerFault */
export function decodeGpio(report: Uint8Array): (GpioPin | null)[] {
  checkAnswer(report, COMMAND.getGpio);
  return [0, 1, 2, 3].map((pin) => {
    const value = byteAt(report, 2 + 2 * pin);
    const direction = byteAt(report, 3 + 2 * pin);
    if (value === NOT_GPIO_VALUE || direction === NOT_GPIO_DIRECTION) return null;
    return { high: value !== 0, input: direction !== 0 };
  });
}
