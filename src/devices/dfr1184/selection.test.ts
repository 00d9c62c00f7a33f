import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { failure } from '../failure.ts';
import type { SelectionProof } from './driver.ts';
import { dfr1184InMemory } from './in-memory.ts';
import type { Dfr1184Knobs } from './knobs.ts';

const test = suite('dfr1184 driver: which input a value is of');

const VOLTS = { 1: 0.755, 2: 0.885 } as const;

/** An open module with knobs turned before the driver met it. */
async function module(knobs: Partial<Dfr1184Knobs> = {}) {
  const decided: SelectionProof[] = [];
  const rig = dfr1184InMemory({ onSelectionProof: (proof) => decided.push(proof) });
  rig.twin.knobs.patch(knobs);
  const written: string[] = [];
  rig.pipe.onWritten((bytes) => written.push(hexOf(bytes)));
  await rig.adc.open();
  return { ...rig, decided, written };
}

/** Reads both inputs until each has been read; a failed call is repeated up to `failures` times. */
async function readsBoth(
  { adc, step }: Awaited<ReturnType<typeof module>>,
  failures = 0,
): Promise<boolean[]> {
  const proven: boolean[] = [];
  let left = failures;
  for (const input of [1, 2, 1] as const)
    for (;;) {
      const sample = await step(adc.read(input)).catch((error: unknown) => {
        left -= 1;
        if (left < 0) throw error;
      });
      if (!sample) continue;
      assert.is(sample.volts, VOLTS[input]);
      proven.push(sample.isProven);
      break;
    }
  return proven;
}

test('DEV-055 whether the selection can be read back is found out once, with both inputs', async () => {
  const rig = await module();
  assert.equal(await readsBoth(rig), [true, true, true]);
  assert.equal([rig.decided, rig.adc.selectionProof], [['register'], 'register']);
  assert.equal(rig.written.slice(1, 8), [
    ...['CC 20 01 02', 'BB 20 01', 'CC 20 01 01', 'BB 20 01'],
    ...['CC 20 01 01', 'BB 20 01', 'BB 31 03'],
  ]);
});

test('DEV-055 a lost selection is never the voltage of the other input: the reading is repeated, or fails', async () => {
  const { adc, step, twin } = await module();
  await step(adc.read(1));
  twin.knobs.patch({ lost_select: 1 });
  const error = await step(failure(adc.read(2)));
  assert.equal([error.code, error.reason], ['corrupt_response', 'selection']);
  assert.match(error.message, 'AIN2 was selected, but the module has 1 selected');
  assert.is(adc.statistics.lostSelections, 2);
  assert.is((await step(adc.read(1))).volts, VOLTS[1], 'the input that is selected');
  twin.knobs.patch({ lost_select: 0 });
  assert.is((await step(adc.read(2))).volts, VOLTS[2]);
});

test('DEV-055 with a third of the selections lost no value is of the other input', async () => {
  for (const knobs of [{}, { select_readback: 'silent' }, { select_readback: 'zero' }] as const) {
    const { adc, step, twin } = await module(knobs);
    twin.knobs.patch({ lost_select: 0.34 });
    let taken = 0;
    for (let index = 0; index < 300; index++) {
      const input = index % 2 === 0 ? 1 : 2;
      const sample = await step(adc.read(input)).catch(() => undefined);
      if (!sample) continue;
      taken += 1;
      assert.equal([sample.volts, sample.isProven], [VOLTS[input], true], JSON.stringify(knobs));
    }
    assert.ok(taken > 200, `${taken} of 300`);
  }
});

for (const select_readback of ['silent', 'zero'] as const)
  test(`DEV-055 a module whose register reads ${select_readback} is read in the text form, which names the input`, async () => {
    const rig = await module({ select_readback });
    assert.equal(await readsBoth(rig), [true, true, true]);
    assert.equal(rig.decided, ['text']);
    assert.is(rig.pipe.opens, 1, 'the port stays open');
    assert.not(rig.written.includes('BB 31 03'));
  });

for (const select_readback of ['silent', 'zero'] as const)
  test(`DEV-055 a module without text form whose register reads ${select_readback} gives values that are marked as not proven`, async () => {
    const rig = await module({ select_readback, text_form: false });
    assert.equal(await readsBoth(rig), [false, false, false]);
    assert.equal(rig.decided, ['text', 'none']);
  });

test('DEV-055 a module that is wholly silent is an error, not one without a proof', async () => {
  const { adc, step, twin } = await module({ silent: true });
  for (let call = 0; call < 4; call++) assert.is((await step(failure(adc.read(1)))).code, 'device_timeout');
  twin.knobs.patch({ silent: false });
  const sample = await step(adc.read(2));
  assert.equal([sample.volts, sample.isProven, adc.selectionProof], [VOLTS[2], true, 'register']);
});

test('DEV-055 a deadline in the middle of finding out decides nothing', async () => {
  for (let deadlineMs = 1; deadlineMs < 250; deadlineMs += 7) {
    const { adc, step } = await module();
    await step(adc.read(1, { deadlineMs }).catch(() => {}));
    await step(adc.read(1));
    assert.is(adc.selectionProof, 'register', `${deadlineMs} ms`);
  }
});

test('DEV-055 behind a loss of the port another module may be there: it is found out anew', async () => {
  const rig = await module({ select_readback: 'silent' });
  await readsBoth(rig);
  rig.pipe.unplug();
  rig.twin.loseSupply();
  rig.twin.knobs.patch({ select_readback: 'register' });
  await rig.clock.advance(1000);
  rig.pipe.plug();
  await rig.clock.advance(5000);
  assert.equal(await readsBoth(rig), [true, true, true]);
  assert.equal(rig.decided, ['text', 'register']);
});

for (const [before, after, proof] of [
  [{}, { select_readback: 'silent' }, 'text'],
  [{}, { select_readback: 'zero', text_form: false }, 'none'],
  [{ select_readback: 'silent' }, { select_readback: 'register', text_form: false }, 'register'],
] as const)
  test(`DEV-055 a module exchanged on its wires, without a loss of the port, is found out again: ${proof}`, async () => {
    const rig = await module(before);
    await readsBoth(rig);
    rig.twin.knobs.patch(after);
    const isProven = proof !== 'none';
    assert.equal(await readsBoth(rig, 4), [isProven, isProven, isProven]);
    assert.is(rig.adc.selectionProof, proof);
  });

test('DEV-055 a module without proof is asked again after ten minutes', async () => {
  const rig = await module({ select_readback: 'zero', text_form: false });
  await readsBoth(rig);
  rig.twin.knobs.patch({ select_readback: 'register' });
  await rig.clock.advance(590_000);
  assert.equal(await readsBoth(rig), [false, false, false]);
  await rig.clock.advance(11_000);
  assert.equal(await readsBoth(rig), [true, true, true]);
});

test.run();
