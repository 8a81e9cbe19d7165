import { SWITCHES } from '../../sandbox/index.ts';

/** Names of the sandbox's pagination presets, without the default cursor. */
export const PAGING_PRESET_NAMES = SWITCHES.paging.settings.filter((name) => name !== 'cursor' && name !== 'none');
