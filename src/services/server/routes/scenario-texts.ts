import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { json, type Reply } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { SAVED_VERSION } from '../scenarios/saved-version.ts';
import { etagOf, type ScenarioText, type ScenarioTexts } from '../scenarios/scenario-texts.ts';
import { api } from './paths.ts';

const params = z.object({ id: z.string() });
const versionParams = params.extend({ n: z.coerce.number().int().min(1) });
const said = z.string().trim().min(1).max(200);
const saving = { saved_by: said, note: said.nullable().default(null) };

const SCENARIO_TEXT = z.object({
  id: z.string(),
  file: z.string(),
  text: z.string(),
  etag: z.string(),
  version: SAVED_VERSION.nullable(),
});

const PROBLEMS = ['unknown_scenario', 'device_unavailable', 'corrupt_response'] as const;

const shown = ({ sha256, ...text }: ScenarioText, status = 200): Reply =>
  json({ ...text, etag: etagOf(sha256) }, status, { etag: etagOf(sha256) });

/** Reads, saves and restores the texts of the scenarios. */
export function scenarioTextRoutes(texts: ScenarioTexts): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/scenarios/:id'),
      summary: 'The text of a scenario, with the ETag that a change of it needs',
      params,
      answer: SCENARIO_TEXT,
      problems: PROBLEMS,
      handler: ({ params: { id } }) => shown(texts.read(id)),
    }),
    route({
      method: 'PUT',
      path: api('/scenarios/:id'),
      summary: 'Saves the text of a scenario as a new version; a change since it was read is refused',
      params,
      body: z.strictObject({ text: z.string(), ...saving }),
      headers: ['if-match', 'if-none-match'],
      answer: SCENARIO_TEXT,
      answerStatus: [200, 201],
      problems: [...PROBLEMS, 'scenario_changed'],
      handler: ({ params: { id }, body, header }) => {
        const base = baseOf(header('if-match'), header('if-none-match'));
        const saved = texts.save({ id, text: body.text, by: body.saved_by, note: body.note, base });
        return shown(saved, base === null ? 201 : 200);
      },
    }),
    route({
      method: 'GET',
      path: api('/scenarios/:id/versions'),
      summary: 'Every version of a scenario with who and when, newest first',
      params,
      answer: z.object({ etag: z.string(), versions: z.array(SAVED_VERSION) }),
      problems: PROBLEMS,
      handler: ({ params: { id } }) => {
        const { current, versions } = texts.versions(id);
        return { etag: etagOf(current.sha256), versions };
      },
    }),
    route({
      method: 'GET',
      path: api('/scenarios/:id/versions/:n'),
      summary: 'The text of one version',
      params: versionParams,
      answer: z.object({ version: SAVED_VERSION, text: z.string() }),
      problems: [...PROBLEMS, 'unknown_version'],
      handler: ({ params: { id, n } }) => texts.version(id, n),
    }),
    route({
      method: 'POST',
      path: api('/scenarios/:id/versions/:n/restore'),
      summary: 'Saves the text of an older version as a new one',
      params: versionParams,
      body: z.strictObject(saving),
      headers: ['if-match'],
      answer: SCENARIO_TEXT,
      problems: [...PROBLEMS, 'unknown_version', 'scenario_changed'],
      handler: ({ params: { id, n }, body, header }) => {
        const base = baseOf(header('if-match'), undefined);
        const { text } = texts.version(id, n);
        return shown(texts.save({ id, text, by: body.saved_by, note: body.note, base, restores: n }));
      },
    }),
  ];
}

/**
 * The SHA-256 that a change is based on; null for a new scenario. Without either nobody's change would be safe.
 * @throws HttpError `invalid_request`
 */
function baseOf(ifMatch: string | undefined, ifNoneMatch: string | undefined): string | null {
  if (ifNoneMatch === '*' && ifMatch === undefined) return null;
  const sha = /^"([0-9a-f]{64})"$/.exec(ifMatch ?? '')?.[1];
  if (sha !== undefined && ifNoneMatch === undefined) return sha;
  throw new HttpError(
    'invalid_request',
    'a change needs If-Match with the ETag of the text that was changed, or If-None-Match: * for a new scenario',
  );
}
