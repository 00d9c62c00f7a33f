import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { pictureOf } from './prompt-picture.ts';

const test = suite('pictures of prompts');

test('PAGE-001 a text names a picture of the folder media, and is shown without it', () => {
  const cases: readonly (readonly [message: string, text: string, picture: string | undefined])[] = [
    ['Is the strap tight? (media/strap.png)', 'Is the strap tight?', 'strap.png'],
    ['Fit the mask as in media/masks/m 2.JPG, then go on', 'Fit the mask as in, then go on', 'masks/m 2.JPG'],
    ['media/strap.webp', 'media/strap.webp', 'strap.webp'],
    ['Is the strap tight?', 'Is the strap tight?', undefined],
    ['See media/strap.svg', 'See media/strap.svg', undefined],
    ['multimedia/x.png', 'multimedia/x.png', undefined],
  ];
  for (const [message, text, picture] of cases) assert.equal(pictureOf(message), { text, picture }, message);
});

test.run();
