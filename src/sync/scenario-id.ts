/**
 * The id that `--scenario` names: itself, or of an address its query parameter `scenario`, else the last part of its
 * path. Undefined when the address has none.
 */
export function scenarioId(idOrUrl: string): string | undefined {
  if (!/^https?:\/\//i.test(idOrUrl) || !URL.canParse(idOrUrl)) return nonBlank(idOrUrl);
  const url = new URL(idOrUrl);
  const named = nonBlank(url.searchParams.get('scenario') ?? '');
  return named ?? nonBlank(decoded(url.pathname.split('/').findLast((part) => part !== '') ?? ''));
}

const nonBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
