import type { Custom } from '../state/records.ts';

/** A stored object as the service shows it, before the profile gives it its form. `object` names its kind. */
export interface View {
  readonly object: string;
  readonly custom?: Custom;
  readonly [field: string]: unknown;
}
