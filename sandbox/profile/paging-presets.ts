import { CURSOR_PRESETS } from './cursor-presets.ts';
import { NUMBER_PRESETS } from './number-presets.ts';
import type { PagingPreset } from './paging-preset.ts';

/** The presets of the switch `paging`, by setting. */
export const PAGING_PRESETS = { ...NUMBER_PRESETS, ...CURSOR_PRESETS } satisfies Record<string, PagingPreset>;

export type PagingPresetName = keyof typeof PAGING_PRESETS;

export const PAGING_PRESET_NAMES = Object.keys(PAGING_PRESETS) as readonly PagingPresetName[];
