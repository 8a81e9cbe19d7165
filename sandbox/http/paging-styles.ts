import { BY_NUMBER } from './paging-by-number.ts';
import { BY_PLACE } from './paging-by-place.ts';

/** The ways in which services page their lists, as data: what asks for a place, and what an answer says about it. */
export const PAGING_STYLES = { ...BY_NUMBER, ...BY_PLACE };

export type PagingStyleName = keyof typeof PAGING_STYLES;

export const PAGING_STYLE_NAMES = Object.keys(PAGING_STYLES) as readonly PagingStyleName[];
