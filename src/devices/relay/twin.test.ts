import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { RelayTwin } from './twin.ts';

const test = suite('twin of the watchdog relay');

function twin() {
  const clock = new SteppedClock();
  const moves: string[] = [];
  const relay = new RelayTwin({
    clock,
    listener: (event) => {
      if (event.kind === 'supply') moves.push(`${clock.monotonic()} ${event.closed ? 'closed' : 'open'}`);
    },
  });
  relay.input('0');
  return { clock, relay, moves };
}

test('IMG-021 an edge closes it, and it opens 0.5 s after the last edge', async () => {
  const { clock, relay, moves } = twin();
  for (const level of ['1', '0', '1']) {
    relay.input(level);
    await clock.advance(400);
  }
  await clock.advance(2000);
  assert.equal(moves, ['0 closed', '1300 open']);
});

test('IMG-021 a level that stays, high or low, keeps nothing closed', async () => {
  const { clock, relay, moves } = twin();
  relay.input('1');
  for (let i = 0; i < 10; i++) {
    relay.input('1');
    await clock.advance(100);
  }
  assert.equal(moves, ['0 closed', '500 open']);
});

test('IMG-021 a welded contact stays closed, and a missing pulse input never closes it', async () => {
  const { clock, relay } = twin();
  relay.knobs.patch({ welded: true });
  await clock.advance(5000);
  assert.is(relay.isClosed, true);
  relay.knobs.patch({ welded: false, no_input: true });
  relay.input('1');
  relay.input('0');
  assert.is(relay.isClosed, false);
});

test('IMG-021 a chattering contact opens once a second while it is fed', async () => {
  const { clock, relay, moves } = twin();
  relay.knobs.patch({ chatter_ms: 80 });
  for (let i = 0; i < 15; i++) {
    relay.input(i % 2 === 0 ? '1' : '0');
    await clock.advance(100);
  }
  assert.equal(moves, ['0 closed', '1000 open', '1080 closed']);
});

test.run();
