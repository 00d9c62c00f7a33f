import { gaussian, type Random } from '../../lib/random/seeded-random.ts';
import { CLASSES } from '../../window/ocr/glyph/classes.ts';
import { classify, inkedOf, type Network } from '../../window/ocr/glyph/network.ts';
import { SIDE } from '../../window/ocr/glyph/view.ts';
import type { Example } from './examples.ts';
import { vary } from './varied.ts';

const HIDDEN = 512;
const BATCH = 64;
const RATE = 0.002;
const [DECAY_1, DECAY_2, TINY] = [0.9, 0.999, 1e-8];

/** Learns with Adam, in steps of one batch. @param epochs times that each example is seen */
export function learn(
  examples: readonly Example[],
  epochs: number,
  random: Random,
  say: (text: string) => void,
): Network {
  const [inputs, outputs] = [SIDE * SIDE, CLASSES.length];
  const network: Network = {
    inputs,
    hidden: HIDDEN,
    outputs,
    first: Float32Array.from(
      { length: HIDDEN * (inputs + 1) },
      () => gaussian(random) * Math.sqrt(4 / inputs),
    ),
    second: Float32Array.from(
      { length: outputs * (HIDDEN + 1) },
      () => gaussian(random) * Math.sqrt(1 / HIDDEN),
    ),
  };
  const [first, second] = [adam(network.first), adam(network.second)];
  const order = examples.map((_, i) => i);
  const varied = new Float32Array(inputs);
  const values = new Float32Array(HIDDEN);
  const back = new Float32Array(HIDDEN);
  const steps = epochs * Math.ceil(examples.length / BATCH);
  let step = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    shuffle(order, random);
    let [loss, right] = [0, 0];
    for (let at = 0; at < order.length; at += BATCH) {
      const batch = order.slice(at, at + BATCH);
      for (const index of batch) {
        const { view, label } = examples[index] as Example;
        vary(view, random, varied);
        const inked = inkedOf(varied);
        const found = classify(network, varied, values, inked);
        loss -= Math.log(Math.max(1e-12, found[label] as number));
        if (found.every((value) => value <= (found[label] as number))) right++;
        back.fill(0);
        for (let o = 0; o < outputs; o++) {
          const slope = (found[o] as number) - (o === label ? 1 : 0);
          if (Math.abs(slope) < 1e-5) continue;
          const row = o * (HIDDEN + 1);
          for (let h = 0; h < HIDDEN; h++) {
            second.slopes[row + h] = (second.slopes[row + h] as number) + slope * (values[h] as number);
            back[h] = (back[h] as number) + slope * (network.second[row + h] as number);
          }
          second.slopes[row + HIDDEN] = (second.slopes[row + HIDDEN] as number) + slope;
        }
        for (let h = 0; h < HIDDEN; h++) {
          const slope = back[h] as number;
          if ((values[h] as number) <= 0 || slope === 0) continue;
          const row = h * (inputs + 1);
          for (let k = 0; k < inked.length; k++) {
            const i = inked[k] as number;
            first.slopes[row + i] = (first.slopes[row + i] as number) + slope * (varied[i] as number);
          }
          first.slopes[row + inputs] = (first.slopes[row + inputs] as number) + slope;
        }
      }
      step++;
      const rate = RATE * (1 - step / (steps + 1));
      first.step(rate, step, batch.length);
      second.step(rate, step, batch.length);
    }
    say(
      `epoch ${epoch}: loss ${(loss / order.length).toFixed(4)}, right ${((100 * right) / order.length).toFixed(2)} %`,
    );
  }
  return network;
}

function adam(weights: Float32Array) {
  const slopes = new Float32Array(weights.length);
  const mean = new Float32Array(weights.length);
  const spread = new Float32Array(weights.length);
  return {
    slopes,
    step(rate: number, step: number, count: number) {
      const [fix1, fix2] = [1 - DECAY_1 ** step, 1 - DECAY_2 ** step];
      for (let i = 0; i < weights.length; i++) {
        const slope = (slopes[i] as number) / count;
        mean[i] = DECAY_1 * (mean[i] as number) + (1 - DECAY_1) * slope;
        spread[i] = DECAY_2 * (spread[i] as number) + (1 - DECAY_2) * slope * slope;
        const change =
          (rate * ((mean[i] as number) / fix1)) / (Math.sqrt((spread[i] as number) / fix2) + TINY);
        weights[i] = (weights[i] as number) - change;
      }
      slopes.fill(0);
    },
  };
}

function shuffle(order: number[], random: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
}
