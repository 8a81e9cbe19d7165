import { type SandboxProfile, SWITCHES } from '../../profile/switches.ts';

export function toSetting(name: keyof typeof SWITCHES, setting: string | undefined): Partial<SandboxProfile> {
  const { settings }: { settings: readonly string[] } = SWITCHES[name];
  // Only settings of the switch itself pass.
  return setting !== undefined && settings.includes(setting) ? { [name]: setting } : {};
}
