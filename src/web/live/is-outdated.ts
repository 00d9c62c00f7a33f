/**
 * Whether this page is of a version before the one that the server serves now.
 * @param served null, undefined: the server has no page, or is of a version that does not say
 */
export const isOutdated = (served: string | null | undefined, own: string | undefined): boolean =>
  typeof served === 'string' && own !== undefined && served !== own;
