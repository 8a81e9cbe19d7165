import { type ListResult, type ResourceView, toListResult } from '../handlers/view.ts';
import type { SandboxProfile } from '../profile/switches.ts';

const TEXTS = ['name', 'email', 'url'];
const FILTERS = ['name', 'email', 'q', 'search'];

/** Filters and sorts a list before paging (§4 specifies neither order nor parameters). */
export function narrowList(
  { records, view }: ListResult,
  query: URLSearchParams,
  { order, listFilters }: SandboxProfile,
): ListResult {
  const ordered = order === 'oldest' ? records.toReversed() : records;
  const request = listFilters === 'none' ? [] : listFilters === 'filters' ? FILTERS : [...FILTERS, 'sort'];
  if (!request.some((name) => query.has(name))) return { records: ordered, view };
  const found = ordered.map(view).filter((entry) => fits(entry, query));
  return toListResult(request.includes('sort') ? sorted(found, query.get('sort')) : found);
}

function fits(entry: ResourceView, query: URLSearchParams): boolean {
  const named = ['name', 'email'].every((field) => {
    const wanted = query.get(field);
    return wanted === null || holds(entry[field], wanted);
  });
  const text = query.get('q') ?? query.get('search');
  return named && (text === null || TEXTS.some((field) => holds(entry[field], text)));
}

function holds(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase());
}

/** Sorts by a time: `created_at`, or `-created_at` for newest first. */
function sorted(entries: readonly ResourceView[], by: string | null): readonly ResourceView[] {
  const [, back, field = ''] = /^(-?)(created_at|updated_at)$/.exec(by ?? '') ?? [];
  if (field === '') return entries;
  const sign = back === '-' ? -1 : 1;
  return entries.toSorted((a, b) => sign * (Number(a[field]) - Number(b[field])));
}
