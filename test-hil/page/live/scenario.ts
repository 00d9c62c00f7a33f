/** The unit of the flow meters that stand for channels: any number of them fits on one line. */
export const UNIT = 'ln/min';
/** A reading is the machine's time of it, modulo this. */
export const WRAP_MS = 1_000_000;

const nameOf = (index: number): string => `flow-${String(index + 1).padStart(2, '0')}`;
export const namesOf = (channels: number): string[] =>
  Array.from({ length: channels }, (_, index) => nameOf(index));

/** svc.yaml with so many sensors. */
export const configWith = (channels: number): string =>
  [
    'plugins:',
    ...namesOf(channels).map(
      (name, index) =>
        `  ${name}: {kind: el-flow, connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB${index}, device_id: 1}}`,
    ),
    '',
  ].join('\n');

/** A scenario that samples all of them. */
export const sampling = (channels: number, hz: number, seconds: number): string =>
  [
    'SCENARIO: Many channels',
    'GOAL:',
    "  SET NAME 'Samples'",
    ...namesOf(channels).map((name) => `  SAMPLE ${name} START ${1000 / hz}ms`),
    `  WAIT ${seconds}s`,
    ...namesOf(channels).map((name) => `  SAMPLE ${name} STOP`),
    '',
  ].join('\n');
