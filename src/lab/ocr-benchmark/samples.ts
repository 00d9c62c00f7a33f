import type { Random } from '../../lib/random/seeded-random.ts';
import { choice } from './choice.ts';

/** What a sample shows. */
export type Kind = 'text' | 'number' | 'segments' | 'none';

const WORDS = (
  'Start Stop Pause Resume Reset Cancel Apply Save Open Close Delete Rename Export Import Print Settings Options Details History ' +
  'Report Reports Scenario Scenarios Device Devices Pressure Flow Volume Temperature Humidity Supply Valve Valves Mask Masks Lung Motor Pump ' +
  'Sensor Channel Channels Chamber Inlet Outlet Leak Test Tests Calibration Calibrate Zero Span Limit Limits Upper Lower Mean Peak Minimum ' +
  'Maximum Average Result Results Passed Failed Running Waiting Connected Disconnected Unknown Error Warning Alarm Alarms Acknowledge ' +
  'Operator Serial Number Firmware Version Network Address Gateway Password User Users Name Comment Date Time Duration Interval Rate ' +
  'the of and for with from until after before below above between not all selected new next previous last first file files folder ' +
  'exhalation inhalation resistance breathing apparatus facepiece regulator cylinder bottle filter tightness threshold deviation tolerance ' +
  'Overview Dashboard Help About Search Filter Language English Measurement Measurements Profile Profiles Manual Automatic Emergency quality ' +
  'Window Illuminate Initialise Filling Illegal Billing Will Williams quickly jumping fox Quarter Query xylophone Zone kPa PDF CSV USB RS485 HTTP'
).split(' ');
const FIXED = [
  'Are you sure?',
  'No, thanks',
  'Log in',
  'Sign up',
  'Save as…',
  'Step 3 of 12',
  'Version 2.4.1',
  'Page 1 of 7',
  'Ready.',
  'File',
  'Edit',
  'View',
  'OK',
  'Yes',
  'No',
  'Cancel',
  'Error 404: not found',
  'info@example.org',
  'Documents/2026',
  '/var/log/syslog',
  'http://localhost:8216',
  'valve-3 (closed)',
  'Mask "A" #17',
  'Draft, 12 October',
  '192.168.0.17',
  '2026-11-03',
  '14:05:59',
  'Ch. 1/4',
  'max. 16 A',
  '100 % done',
];

export const UNITS =
  'l/min l/min l/min mbar mbar kPa kPa Pa hPa bar °C °C % % s ms V mV mA µA A Ω kΩ Hz kHz µm mm rpm 1/min ml l W K min g kg m³/h N µs mm/s'.split(
    ' ',
  );

/** The text of a sample. */
export function wordsOf(kind: Kind, random: Random): string {
  if (kind === 'segments') return segmentText(random);
  if (kind === 'number') return measurement(random);
  if (kind === 'none') return foreign(random);
  if (random() < 0.25) return choice(random, FIXED);
  const count = 1 + Math.floor(random() * 4);
  const text = Array.from({ length: count }, () => choice(random, WORDS)).join(' ');
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  const end = random();
  return end < 0.12
    ? `${begun}:`
    : end < 0.16
      ? `${begun}…`
      : end < 0.24
        ? `${begun} ${digits(random, 1 + Math.floor(random() * 3))}`
        : begun;
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('');

function decimal(random: Random, mark: string): string {
  const whole = String(Math.floor(random() * 10 ** (1 + Math.floor(random() * 4))));
  const places = choice(random, [0, 1, 1, 1, 2, 2, 3]);
  return places === 0 ? whole : `${whole}${mark}${digits(random, places)}`;
}

function measurement(random: Random): string {
  const mark = random() < 0.3 ? ',' : '.';
  const sign = choice(random, ['', '', '', '', '', '-', '-', '+', '±']);
  const value = `${sign}${decimal(random, mark)}`;
  const form = random();
  if (form < 0.18) return value;
  const unit = choice(random, UNITS);
  const gap = (unit === '%' || unit === '°C') && random() < 0.5 ? '' : ' ';
  if (form < 0.24) return `${value} ± ${decimal(random, mark)}${gap}${unit}`;
  return `${value}${gap}${unit}`;
}

function segmentText(random: Random): string {
  const form = random();
  if (form < 0.1)
    return `${digits(random, 2)}:${digits(random, 2)}${random() < 0.3 ? `:${digits(random, 2)}` : ''}`;
  const sign = random() < 0.2 ? '-' : '';
  const length = 1 + Math.floor(random() * 4);
  if (form < 0.3) return `${sign}${Math.max(10, Math.floor(random() * 10 ** (length + 1)))}`;
  return `${sign}${Math.floor(random() * 10 ** length)}.${digits(random, 1 + Math.floor(random() * 3))}`;
}

/** In alphabets whose data are not installed: nothing may be read. */
const FOREIGN = [
  'Давление',
  'Открыть клапан',
  'Настройки',
  'Сохранить',
  'Пуск',
  'Ошибка датчика',
  'Температура воздуха',
  'Время работы',
  'Выход',
  'Налаштування',
  'Ρυθμίσεις',
  'Πίεση αέρα',
  'Έναρξη',
  'Αποθήκευση',
  'הגדרות',
  'לחץ אוויר',
  'إعدادات',
  'ضغط الهواء',
  'การตั้งค่า',
  'เริ่มต้น',
];
const foreign = (random: Random): string => choice(random, FOREIGN);
