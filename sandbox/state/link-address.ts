import type { Service } from './service.ts';

/** Where visitors open a link. */
export function getLinkUrl({ origin }: Service, id: string): string {
  return `${origin}/l/${encodeURIComponent(id)}`;
}
