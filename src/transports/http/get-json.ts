import { type ExchangeJsonOptions, exchangeJson } from './exchange-json.ts';

export type GetJsonOptions = Omit<ExchangeJsonOptions, 'method' | 'body' | 'status'>;

/**
 * Asks an HTTP server for one JSON value. Only status 200 with a whole JSON body in UTF-8 is an answer.
 *
 * @throws TransportError as `exchangeJson`
 */
export async function getJson(address: string, options: GetJsonOptions): Promise<unknown> {
  const { value } = await exchangeJson(address, { ...options, status: 200 });
  return value;
}
