import { idOf, nameOf } from '../../src/answer/fields.ts';
import type { Account } from '../account/account.ts';
import type { ShutdownSignals } from '../call/server-end.ts';
import type { ResourceKind } from './resource-kind.ts';

const ITEMS_LIMIT = 300;
/** A host asks at every keystroke: one list serves them all. */
const LIST_TTL_MS = 30_000;
const LIST_TIMEOUT_MS = 5000;

interface Choice {
  readonly id: string;
  /** Lower case. */
  readonly name: string;
}

interface Listing {
  readonly at: number;
  readonly choices: Promise<readonly Choice[]>;
}

const listings = new WeakMap<Account, Map<string, Listing>>();

/**
 * Ids of the objects whose id or name holds what was typed, those that begin with it first. A completion has no place for
 * an error: what can't be listed in time completes to nothing.
 */
export async function completeId(
  account: Account,
  group: ResourceKind['group'],
  { typed, end }: { typed: string; end?: ShutdownSignals | undefined },
): Promise<string[]> {
  const wanted = typed.trim().toLowerCase();
  const choices = await getCandidates(account, group, end?.readDeadline).catch(() => []);
  const rank = ({ id, name }: Choice) => {
    if (id.toLowerCase().startsWith(wanted) || name.startsWith(wanted)) return 0;
    return id.toLowerCase().includes(wanted) || name.includes(wanted) ? 1 : 2;
  };
  return choices
    .map((choice) => ({ id: choice.id, rank: rank(choice) }))
    .filter((one) => one.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);
}

function getCandidates(
  account: Account,
  group: ResourceKind['group'],
  signal: AbortSignal | undefined,
): Promise<readonly Choice[]> {
  const known = listings.get(account) ?? new Map<string, Listing>();
  listings.set(account, known);
  const listing = known.get(group);
  if (listing && Date.now() - listing.at < LIST_TTL_MS) return listing.choices;
  const choices = readChoices(account, group, signal);
  known.set(group, { at: Date.now(), choices });
  choices.catch(() => known.delete(group));
  return choices;
}

async function readChoices(
  account: Account,
  group: ResourceKind['group'],
  signal: AbortSignal | undefined,
): Promise<readonly Choice[]> {
  const client = await account.client();
  const resource = group.slice(0, -1);
  const list = client[group].list(
    {},
    { signal, deadlineMs: LIST_TIMEOUT_MS, maxWaitMs: 1000, incomplete: 'accept' },
  );
  const items = await list.collect(ITEMS_LIMIT);
  return items.flatMap((item) => {
    const id = idOf(item, resource);
    return id === undefined ? [] : [{ id, name: (nameOf(item, resource) ?? '').toLowerCase() }];
  });
}
