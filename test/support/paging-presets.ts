import { SWITCHES } from '../../sandbox/index.ts';

/** The ways of the sandbox to paginate that have a name, besides its cursor. */
export const PAGING_PRESET_NAMES = SWITCHES.paging.settings.filter((name) => name !== 'cursor' && name !== 'none');
