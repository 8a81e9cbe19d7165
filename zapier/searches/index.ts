import { findDocument } from './find-document.ts';

/** Every search. */
export const searches = [findDocument];
