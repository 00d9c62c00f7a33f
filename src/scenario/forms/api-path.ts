import { isOpen } from './args.ts';

/**
 * Why a path must not be called, or undefined: only `/health` and `/api/...` of the two configured services, nothing
 * that leads to another host or out of the tree.
 */
export function apiPathFault(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'an absolute address is not allowed; write the path only';
  if (path.includes('\\')) return 'a backslash is not allowed in a path';
  if (path.includes('//')) return '// is not allowed in a path';
  if (/(^|\/|%2f|%5c)(\.|%2e){2}(\/|$|\?|#|%2f|%5c)/i.test(path)) return '.. is not allowed in a path';
  if (isOpen(path) && !path.startsWith('/')) return undefined;
  if (!/^\/(?:health|api\/)/.test(path)) return 'only /health and /api/... can be called';
  return undefined;
}
