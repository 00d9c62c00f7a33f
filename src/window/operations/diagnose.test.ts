import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { codeOf, type Document, inFolder } from '../../test-kit/window/folder.ts';
import { flat, paint } from '../../test-kit/window/pictures.ts';
import type { LlmHint } from '../diagnose/llm-hint.ts';
import type { ModelSettings } from '../llm/ask-model.ts';

const test = suite('diagnose');

const screen = () => drawn(makeScreen(seededRandom(11)));
const SLOW = { timeoutMs: 120_000 };

test(
  'WIN-012 each recommendation comes from an image, and the reasons explain the score',
  () =>
    inFolder(async ({ png, perform }) => {
      const boxes = paint(
        paint(flat(400, 300, [230, 230, 230]), 0, 0, 400, 60, [30, 60, 120]),
        50,
        100,
        120,
        90,
        [90, 200, 90],
      );
      png('screen.png', await screen());
      png('blank.png', flat(300, 200, [20, 20, 20]));
      png('boxes.png', boxes);
      await perform('analyze', { image: 'boxes.png', file: 'p.json' });
      for (const [body, expected] of [
        [{ image: 'screen.png' }, 'send_thumbnail_to_llm'],
        [{ image: 'blank.png' }, 'skip_llm_blank_capture'],
        [{ image: 'boxes.png' }, 'use_vql_grid_only'],
        [{ image: 'boxes.png', file: 'p.json' }, 'skip_unchanged_screen'],
        [{ image: 'screen.png', file: 'p.json' }, 'send_thumbnail_to_llm'],
      ] as const) {
        const { recommendation, llm_hint, text, ok } = await perform('diagnose', { ...body, locale: 'en' });
        const hint = llm_hint as LlmHint;
        assert.equal(
          [ok, recommendation, hint.recommendation],
          [true, expected, expected],
          JSON.stringify(body),
        );
        const sum = hint.reasons.reduce((all, { points }) => all + points, 0);
        assert.ok(Math.abs(Math.max(0, Math.min(1, sum)) - hint.score) < 0.02, JSON.stringify(hint));
        assert.is(hint.send_to_llm, hint.score >= 0.5);
        assert.ok(hint.confidence >= 0.5 && hint.confidence <= 1);
        assert.match(String(text), 'Recommendation');
      }
    }),
  SLOW,
);

test('the thumbnail lies in the state folder by the hash of the file, 256 px at most, never beside the image', () =>
  inFolder(async ({ png, file, path, perform }) => {
    const image = png('blank.png', paint(flat(1000, 500, [20, 20, 20]), 0, 0, 30, 30, [25, 25, 25]));
    const { thumbnail } = await perform('diagnose', { image: 'blank.png' });
    const hash = createHash('sha256').update(readFileSync(image)).digest('hex');
    assert.is(thumbnail, file(`state/thumbnails/${hash}.jpg`));
    const { format, width, height } = await sharp(String(thumbnail)).metadata();
    assert.equal([format, width, height], ['jpeg', 256, 128]);
    assert.equal(readdirSync(path).toSorted(), ['blank.png', 'state']);
    assert.is(existsSync(file('state/thumbnails')) && readdirSync(file('state/thumbnails')).length, 1);
  }));

test('a state folder that cannot be written is told, and the diagnosis is good without it', () =>
  inFolder(
    async ({ png, perform }) => {
      png('blank.png', flat(30, 30, [20, 20, 20]));
      const { ok, thumbnail, skipped } = await perform('diagnose', { image: 'blank.png' });
      assert.equal(
        [ok, thumbnail, (skipped as Document[]).map(({ part }) => part)],
        [true, null, ['thumbnail']],
      );
    },
    { stateDir: '/dev/null/state' },
  ));

test('WIN-013 save stores the listed keys and no other ones; without a program it is refused', () =>
  inFolder(async ({ png, file, perform }) => {
    png('boxes.png', paint(flat(300, 200, [230, 230, 230]), 0, 0, 300, 60, [30, 60, 120]));
    png('blank.png', flat(300, 200, [20, 20, 20]));
    await perform('analyze', { image: 'boxes.png', file: 'p.json' });
    const before = JSON.parse(readFileSync(file('p.json'), 'utf8')) as Document;
    const unsaved = await perform('diagnose', { image: 'blank.png', file: 'p.json' });
    assert.equal([unsaved.program_save, unsaved.saved_to_program], [undefined, undefined]);
    assert.equal(JSON.parse(readFileSync(file('p.json'), 'utf8')), before);
    const saved = await perform('diagnose', { image: 'blank.png', file: 'p.json', save: true });
    const keys = [
      'text',
      'llm_hint',
      'scene_class',
      'special_hits',
      'recommendation',
      'diagnosed_at',
      'image',
      'fingerprint',
    ];
    assert.equal(saved.program_save, { ok: true, program: file('p.json'), keys });
    assert.is(saved.saved_to_program, file('p.json'));
    const after = JSON.parse(readFileSync(file('p.json'), 'utf8')) as Document & { metadata: Document };
    const changed = Object.keys(after.metadata).filter(
      (key) => JSON.stringify(after.metadata[key]) !== JSON.stringify((before.metadata as Document)[key]),
    );
    assert.equal(changed.toSorted(), keys.toSorted());
    assert.equal({ ...after, metadata: null }, { ...before, metadata: null });
    assert.equal(
      [after.metadata.text, after.metadata.recommendation],
      [saved.text, 'skip_llm_blank_capture'],
    );
    assert.is(await codeOf(perform('diagnose', { image: 'blank.png', save: true })), 'missing_field');
    assert.is(
      await codeOf(perform('diagnose', { image: 'blank.png', save: true, file: 'none.json' })),
      'program_not_found',
    );
    assert.is(
      (await perform('summary', { file: 'p.json' })).diagnose_recommendation,
      'skip_llm_blank_capture',
    );
  }));

test('WIN-015 translate_mode: the catalogue of the language, else a configured one, else English', () =>
  inFolder(async ({ png, file, path, perform }) => {
    png('blank.png', flat(30, 30, [20, 20, 20]));
    writeFileSync(file('de.json'), '{}');
    const text = async (locale: string | null, translate_mode: 'auto' | 'catalog' | 'offline' | null) => {
      const { text: said, locale: spoken } = await perform('diagnose', {
        image: 'blank.png',
        locale,
        translate_mode,
      });
      return [spoken, String(said).split('\n')[0]];
    };
    assert.equal(await text(null, null), ['pl', 'Obraz 30 x 30: pusty ekran.']);
    assert.equal(await text('en-GB', 'auto'), ['en', 'Image 30 x 30: a blank screen.']);
    assert.equal(await text('de', 'auto'), ['en', 'Image 30 x 30: a blank screen.']);
    const catalogue = { 'diagnose.size': 'Bild {width} x {height}: {scene}.', 'scene.blank': 'leer' };
    writeFileSync(file('de.json'), JSON.stringify(catalogue));
    writeFileSync(file('pl.json'), JSON.stringify({ 'scene.blank': 'pusto' }));
    await inFolder(
      async ({ png: draw, perform: again }) => {
        draw('blank.png', flat(30, 30, [20, 20, 20]));
        const said = async (locale: string, translate_mode: 'auto' | 'catalog' | 'offline') =>
          String((await again('diagnose', { image: 'blank.png', locale, translate_mode })).text).split(
            '\n',
          )[0];
        assert.is(await said('de', 'auto'), 'Bild 30 x 30: leer.');
        assert.is(await said('de', 'offline'), 'Bild 30 x 30: leer.');
        assert.is(await said('de', 'catalog'), 'Image 30 x 30: a blank screen.');
        assert.is(await said('pl', 'auto'), 'Obraz 30 x 30: pusty ekran.');
        assert.is(await said('pl', 'offline'), 'Image 30 x 30: pusto.');
        assert.is(await said('pl', 'catalog'), 'Obraz 30 x 30: pusty ekran.');
      },
      { cataloguesDir: path },
    );
  }));

/** A language model that answers `content` and counts how often it is asked. */
async function withModel(
  content: string,
  work: (model: ModelSettings, count: () => number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count++;
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work({ baseUrl: `http://127.0.0.1:${port}`, model: 'eye', timeoutMs: 20_000 }, () => count);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test(
  'WIN-014 the model is asked only when the picture is worth it; what it says is saved when it is valid, and only then',
  () =>
    inFolder(async ({ png, file, perform }) => {
      png('screen.png', await screen());
      png('other.png', paint(await screen(), 10, 300, 60, 40, [255, 0, 0]));
      png('blank.png', flat(300, 200, [20, 20, 20]));
      await perform('analyze', { image: 'screen.png', file: 'p.json' });
      const before = readFileSync(file('p.json'), 'utf8');
      const saved = () =>
        (JSON.parse(readFileSync(file('p.json'), 'utf8')) as { metadata: Document }).metadata.llm;
      assert.equal((await perform('diagnose', { image: 'screen.png' })).llm, {
        ok: false,
        skipped: true,
        reason: 'llm_not_configured',
      });
      await withModel('{"text":"a form"}', async (model, count) => {
        for (const [image, reason] of [
          ['blank.png', 'not_worth_asking'],
          ['screen.png', 'not_worth_asking'],
        ]) {
          const { llm } = await perform('diagnose', { image: String(image), file: 'p.json' }, model);
          assert.equal([llm, count()], [{ ok: false, skipped: true, reason }, 0], image);
        }
        const { llm } = await perform('diagnose', { image: 'other.png', file: 'p.json', save: true }, model);
        assert.equal([llm, count(), saved()], [{ ok: true, model: 'eye', text: 'a form' }, 1, llm]);
      });
      writeFileSync(file('p.json'), before);
      await withModel('{"text":"a form","program":{"version":"9"}}', async (model) => {
        const answer = await perform('diagnose', { image: 'other.png', file: 'p.json', save: true }, model);
        assert.equal([answer.ok, (answer.llm as Document).reason], [true, 'llm_answer_invalid']);
        assert.equal([saved(), (answer.program_save as Document).ok], [undefined, true]);
      });
    }),
  SLOW,
);

test.run();
