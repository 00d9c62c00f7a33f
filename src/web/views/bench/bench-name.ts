import { messages } from '../../messages/index.ts';

/** Name of a knob or fault of a twin in the language of the page. */
export function benchName(device: string, name: string): string {
  const { names } = messages.value.bench;
  return names[`${device}.${name}`] ?? names[name] ?? name;
}
