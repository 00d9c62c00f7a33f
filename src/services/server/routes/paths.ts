/** Every route is below `/api` and below `/api/v1` (services specification, section 12). */
export const api = (path: string): string[] => [`/api${path}`, `/api/v1${path}`];
