/** A line of a service's log as a person reads it. */
export interface LogLine {
  /** ms; undefined for a line that is not of the service's own log. */
  at: number | undefined;
  level: string;
  text: string;
  /** What the line says beside its sentence, as `name: value`. */
  fields: string;
}

const OWN = ['level', 'time', 'service', 'pid', 'msg'];

/** Reads a line of JSON of a service; a line of another kind, such as a crash of Node, is shown as it is. */
export function logLineOf(line: string): LogLine {
  const said = objectIn(line);
  if (said === undefined || typeof said.msg !== 'string')
    return { at: undefined, level: '', text: line, fields: '' };
  const at = typeof said.time === 'number' ? said.time : Date.parse(String(said.time));
  const fields = Object.entries(said)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return {
    at: Number.isNaN(at) ? undefined : at,
    level: String(said.level ?? ''),
    text: said.msg,
    fields: fields.join(' · '),
  };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
