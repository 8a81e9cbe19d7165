import type { SwitchName } from '../../profile/switches.ts';

/** What a learned profile says about switches. A text that is not a setting of its switch counts for nothing. */
export type Closest = { readonly [Name in SwitchName]?: string | undefined };
