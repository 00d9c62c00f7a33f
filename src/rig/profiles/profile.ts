import { CodedError } from '../../lib/errors/coded-error.ts';

/** The ADC services that exclude each other. PM2's file has the same table. */
export const PROFILES = {
  stack: ['svc-adc-stack'],
  standalone: ['svc-adc-usb', 'svc-adc-uart'],
} as const;

export type Profile = keyof typeof PROFILES;
export type AdcService = (typeof PROFILES)[Profile][number];

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly Profile[];
export const ADC_SERVICES: readonly AdcService[] = Object.values(PROFILES).flat();

/** The services of a profile. */
export const servicesOf = (profile: Profile): readonly AdcService[] => PROFILES[profile];

export const isAdcService = (name: string): name is AdcService =>
  ADC_SERVICES.some((service) => service === name);

/** A profile that cannot be read. */
export class ProfileError extends CodedError {}

/**
 * Reads the text of a profile file. A word that is not a profile is never taken for one.
 * @param path for the message
 * @throws ProfileError `profile_damaged`
 */
export function parseProfile(text: string, path: string): Profile {
  const word = text.trim();
  const found = PROFILE_NAMES.find((name) => name === word);
  if (found !== undefined) return found;
  throw new ProfileError(
    'profile_damaged',
    `${path} contains ${JSON.stringify(word.slice(0, 40))}, which is not a profile: svcctl profile ${PROFILE_NAMES.join(' or svcctl profile ')} writes it anew`,
  );
}
