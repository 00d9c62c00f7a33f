import * as z from 'zod';
import { isEqual, unauthorized } from '../../../lib/http/admission.ts';
import type { Exposure } from '../../../lib/http/exposure.ts';
import { json } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { noSessionCookie, sessionCookie } from '../../../lib/http/session.ts';
import { api } from './paths.ts';

/** A page in a browser gives the token once and gets a cookie for it. */
export function sessionRoutes({ token }: Exposure): Route[] {
  return [
    route({
      method: 'POST',
      path: api('/session'),
      summary: 'Exchanges the token for the cookie of a page',
      access: 'open',
      actuating: true,
      body: z.strictObject({ token: z.string().max(1000) }),
      answerStatus: [204],
      problems: ['unauthorized'],
      handler: ({ body }) => {
        if (token !== undefined && !isEqual(body.token, token))
          throw unauthorized('this is not the token of the rig (SVC_API_TOKEN)');
        return json(null, 204, token === undefined ? {} : { 'set-cookie': sessionCookie(token) });
      },
    }),
    route({
      method: 'DELETE',
      path: api('/session'),
      summary: 'Takes the cookie of a page back',
      access: 'open',
      actuating: true,
      answerStatus: [204],
      handler: () => json(null, 204, { 'set-cookie': noSessionCookie }),
    }),
  ];
}
