/** What the network tells apart; the last one is what is no letter: a part of one, or two together. */
export const CLASSES: readonly string[] = [
  ...'0123456789',
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...'.,:;-+±%°/()Ωµ³²=*#?!_<>[]|×',
  '',
];

export const NO_LETTER = CLASSES.length - 1;
