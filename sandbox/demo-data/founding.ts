import type { Random } from '../base/random.ts';
import type { ObjectKind } from '../profile/id-kinds.ts';
import type { Custom, DocumentRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';

export const DAY_MS = 86_400_000;

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** Shared by the functions that create demo data; `record` can date records in the past. */
export interface SeedContext {
  readonly service: Service;
  readonly random: Random;
  readonly people: readonly Person[];
  readonly documents: readonly DocumentRecord[];
  record(kind: ObjectKind, daysAgo: number): { id: string; created_at: number; updated_at: number; custom: Custom };
}
