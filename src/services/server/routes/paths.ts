/** Every route is below `/api` and below `/api/v1`. */
export const api = (path: string): string[] => [`/api${path}`, `/api/v1${path}`];
