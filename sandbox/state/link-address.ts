import type { Service } from './service.ts';

export function getLinkUrl({ origin }: Service, id: string): string {
  return `${origin}/l/${encodeURIComponent(id)}`;
}
