/** `(media/strap.png)` in the text of a PROMPT or TASK, with or without the brackets. */
const NAMED = /\s*\(?\bmedia\/([\w./ -]*?[\w-]+\.(?:png|jpe?g|webp))\b\)?/i;

/** A text without the picture that it names, and the path of that one below the folder `media`. */
export function pictureOf(message: string): { text: string; picture: string | undefined } {
  const found = NAMED.exec(message);
  if (!found) return { text: message, picture: undefined };
  const text = `${message.slice(0, found.index)}${message.slice(found.index + found[0].length)}`.trim();
  return { text: text === '' ? message : text, picture: found[1] };
}
