import type { Service } from '../service.ts';

/** Where visitors open a link. */
export function linkAddress({ origin }: Service, id: string): string {
  return `${origin}/l/${encodeURIComponent(id)}`;
}
