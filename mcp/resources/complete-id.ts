import { getName, idOf } from '../../src/records/fields.ts';
import type { Account } from '../account/account.ts';
import type { ShutdownSignals } from '../call/shutdown-signals.ts';
import { getResourceNoun } from '../tool/tool.ts';
import type { ResourceKind } from './resource-kinds.ts';

const MAX_ITEMS = 300;
/** Hosts ask on every keystroke, so the list is cached. */
const LIST_TTL_MS = 30_000;
const LIST_TIMEOUT_MS = 5000;

interface Candidate {
  readonly id: string;
  /** Id and name, in lower case. */
  readonly texts: readonly string[];
}

interface CachedList {
  readonly fetchedAt: number;
  readonly candidates: Promise<readonly Candidate[]>;
}

const cachedLists = new WeakMap<Account, Map<string, CachedList>>();

/** Ids of objects whose id or name contains the typed text, prefix matches first. Errors give no completions. */
export async function completeId(
  account: Account,
  group: ResourceKind['group'],
  { typed, shutdown }: { typed: string; shutdown?: ShutdownSignals | undefined },
): Promise<string[]> {
  const typedText = typed.trim().toLowerCase();
  const candidates = await getCandidates(account, group, shutdown?.readDeadline).catch(() => []);
  const matches = candidates.filter(({ texts }) => texts.some((text) => text.includes(typedText)));
  const isPrefix = ({ texts }: Candidate) => texts.some((text) => text.startsWith(typedText));
  return [...matches.filter(isPrefix), ...matches.filter((candidate) => !isPrefix(candidate))].map(({ id }) => id);
}

function getCandidates(
  account: Account,
  group: ResourceKind['group'],
  signal: AbortSignal | undefined,
): Promise<readonly Candidate[]> {
  const byGroup = cachedLists.get(account) ?? new Map<string, CachedList>();
  cachedLists.set(account, byGroup);
  const cachedList = byGroup.get(group);
  if (cachedList && Date.now() - cachedList.fetchedAt < LIST_TTL_MS) return cachedList.candidates;
  const candidates = fetchCandidates(account, group, signal);
  byGroup.set(group, { fetchedAt: Date.now(), candidates });
  candidates.catch(() => byGroup.delete(group));
  return candidates;
}

async function fetchCandidates(
  account: Account,
  group: ResourceKind['group'],
  signal: AbortSignal | undefined,
): Promise<readonly Candidate[]> {
  const client = await account.client();
  const resource = getResourceNoun(group);
  const list = client[group].list({}, { signal, deadlineMs: LIST_TIMEOUT_MS, maxWaitMs: 1000, incomplete: 'accept' });
  const items = await list.collect(MAX_ITEMS);
  return items.flatMap((item) => {
    const id = idOf(item, resource);
    return id === undefined ? [] : [{ id, texts: [id.toLowerCase(), (getName(item, resource) ?? '').toLowerCase()] }];
  });
}
