/** Request headers that handlers read, with their descriptions for openapi.json. */
export const REQUEST_HEADERS = {
  'x-lease-id': 'Id of the lease under which this is asked; without one the actuation is a manual one',
  'last-event-id': 'Last event that the client has, for a stream that goes on',
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
