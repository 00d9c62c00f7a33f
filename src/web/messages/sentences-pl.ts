import type { Sentence } from './sentences.ts';

const STATES: Readonly<Record<string, string>> = { open: 'otwarty', closed: 'zamknięty' };
const state = (word: string): string => STATES[word] ?? word;

/** What the interpreter and the server say most often. The record keeps the original. */
export const sentencesPl: readonly Sentence[] = [
  [/^(.+) within (\[.+\].*)$/, (name, limits) => `${name} w granicach ${limits}`],
  [/^(.+) outside (\[.+\].*)$/, (name, limits) => `${name} poza granicami ${limits}`],
  [
    /^(.+) is (open|closed), expected (open|closed)$/,
    (valve, is = '', wanted = '') => `${valve} jest ${state(is)}, oczekiwano: ${state(wanted)}`,
  ],
  [
    /^(.+) stopped the rig of \S+ at (\S+) \(.*\); check the rig, then clear the stop: .*$/,
    (by, at) =>
      `Stanowisko zatrzymał(a) ${by}, ${at}: sprawdź stanowisko, potem zwolnij zatrzymanie u góry strony`,
  ],
  [
    /^(\S+) has the rig: wait for its end or abort it$/,
    (id) => `${id} zajmuje stanowisko: poczekaj na koniec albo przerwij`,
  ],
  [
    /^the run was aborted(.*)$/,
    (why) => `test został przerwany${why === ' (by request)' ? ' na żądanie' : why}`,
  ],
  [
    /^the lease was lost: (.+); no further command is sent$/,
    (why) => `utracono dzierżawę: ${why}; nie wysłano dalszych poleceń`,
  ],
  [
    /^the rig is not proven safe: (.+); nothing is switched on until it is$/,
    (why) => `stan bezpieczny nie jest potwierdzony: ${why}; do tego czasu nic nie zostanie włączone`,
  ],
  [
    /^no scenario "(.*)"; GET \/api\/scenarios lists them$/,
    (id) => `nie ma scenariusza „${id}”; lista jest w widoku Scenariusze`,
  ],
  [/^no run "(.*)"; .*$/, (id) => `nie ma testu „${id}”; lista jest w widoku Historia`],
];
