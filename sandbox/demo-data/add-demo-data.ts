import { readFileSync } from 'node:fs';
import type { ObjectKind } from '../profile/id-kinds.ts';
import { generateId, type Service } from '../state/service.ts';

const DAY_MS = 86_400_000;

type Group = 'contacts' | 'documents' | 'links' | 'visits' | 'rooms' | 'templates' | 'agreements' | 'proposals';

/** Fills an empty service with the records of `company.json`. Sends no events. */
export function addDemoData(service: Service): void {
  const text = readFileSync(new URL('./example-files/company.json', import.meta.url), 'utf8');
  const now = service.clock.now();
  const ids = new Map<string, string>();

  /** Returns the ID of a placeholder such as `@link.1`. */
  const getId = (placeholder: string) => {
    const kind = placeholder.slice(1, placeholder.indexOf('.')) as ObjectKind;
    const id = ids.get(placeholder) ?? generateId(service, kind);
    ids.set(placeholder, id);
    return id;
  };
  const records: Record<Group, { id: string }[]> = JSON.parse(text, (name, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('@')) return getId(value);
    // A record that was never changed omits `updated_at`; one without additional fields omits `custom`.
    if (isStoredRecord(value)) {
      const { id, created_at } = value;
      return Object.assign({ id, created_at, updated_at: created_at, custom: {} }, value);
    }
    // Times are days from now.
    if (typeof value === 'number' && name.endsWith('_at')) return Math.round(now + value * DAY_MS);
    // Seconds on page 1, page 2 and so on.
    if (name === 'dwell') return new Map((value as number[]).map((seconds, index) => [index + 1, seconds * 1000]));
    return value;
  });
  for (const [group, list] of Object.entries(records)) {
    const stored: Map<string, { id: string }> = service.state[group as Group];
    for (const record of list) stored.set(record.id, record);
  }
}

function isStoredRecord(value: unknown): value is { readonly id: string; readonly created_at: number } {
  return typeof value === 'object' && value !== null && 'id' in value && 'created_at' in value;
}
