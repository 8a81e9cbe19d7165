import { type SandboxProfile, SWITCHES } from '../../profile/switches.ts';

/** A switch at a setting, where it has that one. */
export function toSetting(name: keyof typeof SWITCHES, setting: string | undefined): Partial<SandboxProfile> {
  const { settings }: { settings: readonly string[] } = SWITCHES[name];
  // Only a setting of the switch itself comes through.
  return setting !== undefined && settings.includes(setting) ? { [name]: setting } : {};
}
