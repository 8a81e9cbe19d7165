import type { Random } from '../random.ts';
import type { Service } from '../service.ts';
import type { DocumentRecord } from '../state/records.ts';
import type { ObjectKind } from '../state/state.ts';

export const DAY_MS = 86_400_000;

export interface SeedPerson {
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** What the parts of the company are made with: the seed's own draw, and a clock that reads into the past. */
export interface SeedContext {
  readonly service: Service;
  readonly random: Random;
  readonly persons: readonly SeedPerson[];
  readonly documents: readonly DocumentRecord[];
  record(
    kind: ObjectKind,
    daysAgo: number,
  ): { id: string; created_at: number; updated_at: number; custom: object };
}
