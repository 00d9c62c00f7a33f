declare module 'polka' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface PolkaRequest extends IncomingMessage {
    /** Raw path parameters: polka 0.5 does not decode them. */
    params?: Record<string, string>;
    path?: string;
    originalUrl?: string;
  }

  export interface Polka {
    all(pattern: string, handler: (request: PolkaRequest, response: ServerResponse) => void): Polka;
    handler(request: PolkaRequest, response: ServerResponse): void;
  }

  export default function polka(options?: {
    onError?: (error: unknown, request: PolkaRequest, response: ServerResponse) => void;
    onNoMatch?: (request: PolkaRequest, response: ServerResponse) => void;
  }): Polka;
}
