/** Request headers that handlers read, with their descriptions for openapi.json. */
export const REQUEST_HEADERS = {
  'x-lease-id': 'Id of the lease under which this is asked; without one the actuation is a manual one',
  'x-bridge-id':
    'Which bridge calls, as JSON: rig, service, pid, port, since. It holds the service until 10 s after its last call',
  'last-event-id': 'Last event that the client has, for a stream that goes on',
  'if-match': 'ETag of the text that the change is based on, as GET gave it',
  'if-none-match': '`*`: what is sent must not exist so far',
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
