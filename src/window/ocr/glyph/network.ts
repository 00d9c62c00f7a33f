import { CLASSES } from './classes.ts';
import { SIDE } from './view.ts';
import stored from './weights.json';

/** Two layers; rows by output. */
export interface Network {
  inputs: number;
  hidden: number;
  outputs: number;
  /** `hidden` rows of `inputs` values and a bias. */
  first: Float32Array;
  /** `outputs` rows of `hidden` values and a bias. */
  second: Float32Array;
}

/** Weights as they are stored: steps of a scale, one byte each, base64. */
export interface StoredNetwork {
  classes: string;
  hidden: number;
  firstScale: number;
  secondScale: number;
  first: string;
  second: string;
}

export function storedNetwork({ hidden, first, second }: Network): StoredNetwork {
  const pack = (values: Float32Array) => {
    const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    return {
      scale,
      text: Buffer.from(Int8Array.from(values, (value) => Math.round(value / scale)).buffer).toString(
        'base64',
      ),
    };
  };
  const [one, two] = [pack(first), pack(second)];
  return {
    classes: CLASSES.join(''),
    hidden,
    firstScale: one.scale,
    secondScale: two.scale,
    first: one.text,
    second: two.text,
  };
}

/** @throws Error when the weights are those of other classes */
export function networkOf({
  classes,
  hidden,
  firstScale,
  secondScale,
  first,
  second,
}: StoredNetwork): Network {
  if (classes !== CLASSES.join(''))
    throw new Error('weights.json belongs to other classes: npm run train:glyphs');
  const unpack = (text: string, scale: number) => {
    const bytes = Buffer.from(text, 'base64');
    return Float32Array.from(
      new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      (value) => value * scale,
    );
  };
  return {
    inputs: SIDE * SIDE,
    hidden,
    outputs: CLASSES.length,
    first: unpack(first, firstScale),
    second: unpack(second, secondScale),
  };
}

let shipped: Network | undefined;

export function shippedNetwork(): Network {
  shipped ??= networkOf(stored);
  return shipped;
}

/** Probability of each class. @param values of the inner layer, left there for who learns @param inked cells of the view that have ink */
export function classify(
  { inputs, hidden, outputs, first, second }: Network,
  view: Float32Array,
  values = new Float32Array(hidden),
  inked = inkedOf(view),
): Float32Array {
  for (let h = 0; h < hidden; h++) {
    const row = h * (inputs + 1);
    let sum = first[row + inputs] as number;
    for (let k = 0; k < inked.length; k++) {
      const i = inked[k] as number;
      sum += (first[row + i] as number) * (view[i] as number);
    }
    values[h] = sum > 0 ? sum : 0;
  }
  const result = new Float32Array(outputs);
  let most = Number.NEGATIVE_INFINITY;
  for (let o = 0; o < outputs; o++) {
    const row = o * (hidden + 1);
    let sum = second[row + hidden] as number;
    for (let h = 0; h < hidden; h++) sum += (second[row + h] as number) * (values[h] as number);
    result[o] = sum;
    if (sum > most) most = sum;
  }
  let total = 0;
  for (let o = 0; o < outputs; o++) total += result[o] = Math.exp((result[o] as number) - most);
  for (let o = 0; o < outputs; o++) result[o] = (result[o] as number) / total;
  return result;
}

/** Most cells of a view are empty. */
export function inkedOf(view: Float32Array): Uint16Array {
  const inked: number[] = [];
  for (let i = 0; i < view.length; i++) if (view[i] !== 0) inked.push(i);
  return Uint16Array.from(inked);
}
