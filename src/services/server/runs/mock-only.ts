import type { Fetch } from '../../../scenario/rig/http/bridge-client.ts';

/**
 * For a service in mock mode: a bridge that drives hardware is refused in the preflight, before a lease is asked for.
 * Whoever starts a service in mock mode does not expect anything to move.
 */
export function mockOnly(fetch: Fetch, firmwareUrl: string): Fetch {
  const health = `${firmwareUrl}/health`;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (url === health && (await modeOf(response.clone())) === 'real')
      throw new Error(
        `${firmwareUrl} drives hardware and svc-server is in mock mode: start both with SVC_HARDWARE_MODE=real, or the bridge in mock mode too`,
      );
    return response;
  };
}

async function modeOf(response: Response): Promise<unknown> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'mode' in body ? body.mode : undefined;
  } catch {
    // The preflight itself says what is wrong with this answer.
    return undefined;
  }
}
