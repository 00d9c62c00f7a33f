import * as z from 'zod';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { type StationDesk, stationSchema } from '../station/station.ts';
import { api } from './paths.ts';

const state = stationSchema.extend({ version: z.int() });
const { shape } = stationSchema;
/** No default: what is not sent stays as it is. */
const change = z.strictObject({
  scenario_id: shape.scenario_id.removeDefault().optional(),
  serial: shape.serial.removeDefault().optional(),
  part: shape.part.removeDefault().optional(),
  revision: shape.revision.removeDefault().optional(),
  batch: shape.batch.removeDefault().optional(),
  operator: shape.operator.removeDefault().optional(),
  variables: shape.variables.removeDefault().optional(),
  keep_variables: shape.keep_variables.removeDefault().optional(),
  dismissed_run: shape.dismissed_run.removeDefault().optional(),
});

export function stationRoutes(desk: StationDesk, logger: Logger): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/station'),
      summary: 'What is entered for the next run',
      answer: state,
      handler: () => desk.state,
    }),
    route({
      method: 'PATCH',
      path: api('/station'),
      summary: 'Changes what is entered for the next run; what is not sent stays',
      actuating: true,
      body: change,
      answer: state,
      handler: ({ body }) => {
        const given = Object.entries(body).filter(([, value]) => value !== undefined);
        try {
          return desk.change(Object.fromEntries(given));
        } catch (thrown) {
          logger.warn(`the entries for the next run are not on the disk: ${messageOf(thrown)}`);
          return desk.state;
        }
      },
    }),
  ];
}
