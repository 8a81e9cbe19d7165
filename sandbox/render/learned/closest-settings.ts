import type { SwitchName } from '../../profile/switches.ts';

/** Settings that a learned profile suggests, by switch. Those that their switch does not have are left out later. */
export type Closest = { readonly [Name in SwitchName]?: string | undefined };
