import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import type { Snapshot } from '../sandbox/sandbox.ts';
import { SCOPES } from '../src/scopes.ts';
import { type Fields, type Platform, startPlatform } from '../test/world/zapier-lambda.ts';

export interface Workspace {
  readonly order: 'newest' | 'oldest';
  readonly largestPage: '25' | '100';
  readonly narrowing: 'none' | 'filters' | 'filters+sort';
}

/** One number of the table, and the most (or where `exact`, the very number) that it has to be. */
export interface Row {
  readonly workspace: string;
  readonly what: string;
  readonly number: number;
  readonly goal: number;
  readonly exact?: boolean;
}

export const RECORDS = 3000;
const NEWS = 30;
const HOUR_MS = 3_600_000;

/** Each kind of record: its word in the app, and the trigger that tells of its changes. */
const KINDS = {
  documents: { word: 'document', change: undefined },
  links: { word: 'link', change: undefined },
  rooms: { word: 'room', change: undefined },
  agreements: { word: 'agreement', change: 'agreement_status_changed' },
  proposals: { word: 'proposal', change: 'proposal_status_changed' },
  templates: { word: 'template', change: undefined },
  contacts: { word: 'contact', change: 'updated_contact' },
} as const;

export type Group = keyof typeof KINDS;
export const GROUPS = Object.keys(KINDS) as readonly Group[];

interface Measuring {
  readonly sandbox: Sandbox;
  readonly zap: Platform;
  readonly workspace: Workspace;
  readonly note: (what: string, number: number, goal: number | { exactly: number }) => void;
}

/** Runs the polls, searches and drop-downs over a workspace of 3,000 records of each kind, and counts what they ask. */
export async function measureWorkspace(
  workspace: Workspace,
  groups: readonly Group[] = GROUPS,
): Promise<readonly Row[]> {
  const sandbox = await createSandbox({ profile: { ...workspace } });
  const zap = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  const rows: Row[] = [];
  const { order, largestPage, narrowing } = workspace;
  const name = `${order} first, ${largestPage} a page, ${narrowing === 'none' ? 'no filters' : narrowing}`;
  const note: Measuring['note'] = (what, number, goal) =>
    rows.push({
      workspace: name,
      what,
      number,
      ...(typeof goal === 'number' ? { goal } : { goal: goal.exactly, exact: true }),
    });
  try {
    change(sandbox, (state) => {
      // A link's visitors are looked at in any case.
      for (const group of new Set([...groups, 'links'] as const))
        addRecords(state, group, { count: RECORDS, at: Date.now() - HOUR_MS });
      addVisits(state, { count: RECORDS, at: Date.now() - HOUR_MS });
    });
    for (const group of groups) await measureKind({ sandbox, zap, workspace, note }, group);
    await measureVisitors({ sandbox, zap, workspace, note });
  } finally {
    await zap.close();
    await sandbox.close();
  }
  return rows;
}

async function measureKind(measuring: Measuring, group: Group): Promise<void> {
  const { sandbox, workspace, note } = measuring;
  const { word, change: changes } = KINDS[group];
  const listed = RECORDS / Number(workspace.largestPage);
  const trigger = `triggers.new_${word}.operation.perform`;
  const first = await counted<Fields[]>(measuring, trigger);
  note(`New ${word}: requests of the first look`, first.requests, Math.min(112, listed + 5));
  // Where a minute's requests are not enough for the way to the end, the second look goes the rest.
  change(sandbox, (state) => addRecords(state, group, { count: NEWS, at: Date.now(), name: 'News' }));
  const second = await counted<Fields[]>(measuring, trigger);
  const known = new Set(first.result.map(({ id }) => id));
  const news = second.result.filter(({ id }) => !known.has(id));
  const isNew = (id: unknown) => String(id).startsWith('news-');
  note(`New ${word}: found of ${NEWS}`, news.filter(({ id }) => isNew(id)).length, { exactly: NEWS });
  note(`New ${word}: old ones that ran the Zap`, news.filter(({ id }) => !isNew(id)).length, { exactly: 0 });
  note(`New ${word}: requests of the next look`, second.requests, isToTheEnd(workspace) ? 42 : 5);
  const sample = await counted(measuring, trigger, { meta: { isLoadingSample: true } });
  note(`New ${word}: requests of a test`, sample.requests, 3);
  const choices = await counted<Fields[]>(measuring, `triggers.${word}_list.operation.perform`);
  note(`Drop-down of ${group}: requests a page`, choices.requests, 1);
  await measureFind(measuring, group);
  if (changes !== undefined) await measureChanges(measuring, { group, changes });
}

async function measureFind(measuring: Measuring, group: Group): Promise<void> {
  const { word } = KINDS[group];
  const { narrowing, largestPage } = measuring.workspace;
  const field = word === 'link' || word === 'contact' ? 'query' : 'name';
  const perform = `searches.find_${word}.operation.perform`;
  const find = (text: string) => {
    const inputData = { [field]: text, email: text, [word]: text };
    return counted<Fields[]>(measuring, perform, { inputData }).catch((error: Error) => {
      if (!/did not give the whole list/.test(error.message)) throw error;
      return { result: undefined, requests: measuring.sandbox.log.entries().length };
    });
  };
  const hit = await find(`${word} 1500`);
  const isFiltered = narrowing !== 'none';
  measuring.note(`Find ${word}: requests of a hit`, hit.requests, isFiltered ? 1 : 40);
  // A list of 120 pages can't be read in one step: then it says so.
  const isReadable = isFiltered || largestPage === '100';
  measuring.note(`Find ${word}: found, or said that it could not read all`, hit.result?.length ?? -1, {
    exactly: isReadable ? 1 : -1,
  });
  const miss = await find('Nowhere Ltd');
  measuring.note(`Find ${word}: requests of a miss`, miss.requests, isFiltered ? 3 : 41);
  if (isFiltered) {
    const again = await find('Nobody Ltd');
    measuring.note(`Find ${word}: requests of the next miss`, again.requests, 1);
  }
}

async function measureChanges(
  measuring: Measuring,
  { group, changes }: { group: Group; changes: string },
): Promise<void> {
  const { sandbox, workspace, note } = measuring;
  const perform = `triggers.${changes}.operation.perform`;
  const poll = () => counted<Fields[]>(measuring, perform, { meta: { zap: { id: `z-${changes}` } } });
  const known = new Set<unknown>();
  const news: string[] = [];
  const look = async () => {
    const { result, requests } = await poll();
    return { fresh: result.filter(({ id }) => !known.has(id) && known.add(id)), requests };
  };
  // Turning a Zap on takes stock; two more looks pass before anything happens.
  let most = 0;
  for (let time = 0; time < 3; time++) most = Math.max(most, (await look()).requests);
  note(`${changes}: requests of a look`, most, workspace.largestPage === '25' ? 112 : 37);
  const changed = change(sandbox, (state) => changeRecords(state, group));
  const looks = workspace.largestPage === '25' && workspace.narrowing !== 'filters+sort' ? 4 : 1;
  for (let time = 0; time < looks; time++)
    for (const item of (await look()).fresh) news.push(String(item[`${KINDS[group].word}_id`]));
  note(
    `${changes}: found of ${changed.length} in ${looks} looks`,
    new Set(news.filter((id) => changed.includes(id))).size,
    {
      exactly: changed.length,
    },
  );
  note(
    `${changes}: others that ran the Zap`,
    news.filter((id) => !changed.includes(id) && !id.startsWith('news-')).length,
    {
      exactly: 0,
    },
  );
}

async function measureVisitors({ sandbox, zap, workspace, note }: Measuring): Promise<void> {
  const inputData = { link: 'link-0' };
  const poll = () =>
    counted<Fields[]>({ sandbox, zap }, 'triggers.new_visitor.operation.perform', { inputData });
  const first = await poll();
  note('new_visitor: requests of the first look', first.requests, workspace.largestPage === '25' ? 118 : 36);
  const known = new Set(first.result.map(({ id }) => id));
  change(sandbox, (state) => addVisits(state, { count: 5, at: Date.now(), name: 'news' }));
  const second = await poll();
  const emails = second.result.filter(({ id }) => !known.has(id)).map(({ email }) => String(email));
  note('new_visitor: found of 5', emails.filter((email) => email.startsWith('news-')).length, { exactly: 5 });
  note(
    'new_visitor: old ones that ran the Zap',
    emails.filter((email) => !email.startsWith('news-')).length,
    {
      exactly: 0,
    },
  );
}

/** Whether the way to the newest is 120 pages long: then the second look goes the rest of it. */
function isToTheEnd({ order, largestPage, narrowing }: Workspace): boolean {
  return order === 'oldest' && largestPage === '25' && narrowing !== 'filters+sort';
}

/** With a key of its own each time: between two looks of a Zap minutes pass. */
async function counted<Result>(
  { sandbox, zap }: Pick<Measuring, 'sandbox' | 'zap'>,
  method: string,
  bundle: Fields = {},
): Promise<{ result: Result; requests: number }> {
  sandbox.log.clear();
  const own = sandbox.key(SCOPES);
  const result = await zap.run<Result>(method, {
    ...bundle,
    authData: { apiKey: own, baseUrl: sandbox.url },
  });
  return { result, requests: sandbox.log.entries().length };
}

type State = Snapshot['state'];

/** Changes what the service stores, as other people do between two looks. */
function change<Result>(sandbox: Sandbox, act: (state: State) => Result): Result {
  const snapshot = sandbox.snapshot();
  const result = act(snapshot.state);
  sandbox.restore(snapshot);
  return result;
}

interface Added {
  readonly count: number;
  /** Of the first; each later one is a second younger. */
  readonly at: number;
  readonly name?: string;
}

function addRecords(state: State, group: Group, { count, at, name }: Added): void {
  const records: Map<string, { id: string; created_at: number }> = state[group];
  const [like] = records.values();
  const { word } = KINDS[group];
  for (let number = 0; number < count; number++) {
    const id = name === undefined ? `${word}-${number}` : `news-${word}-${number}`;
    const made = {
      id,
      created_at: at + number * 10,
      updated_at: at + number * 10,
      name: `${name ?? word} ${number}`,
    };
    records.set(id, { ...structuredClone(like), ...made });
  }
}

/** Ten records that stand anywhere in their list; gives their ids. */
function changeRecords(state: State, group: Group): string[] {
  const records: Map<string, { id: string; updated_at: number; status?: string }> = state[group];
  const ids = [...records.keys()].filter((_, at) => at % 300 === 150).slice(0, 10);
  for (const [at, id] of ids.entries()) {
    const record = records.get(id);
    if (!record) continue;
    record.updated_at = Date.now() + at;
    if ('status' in record) record.status = record.status === 'viewed' ? 'sent' : 'viewed';
  }
  return ids;
}

function addVisits(state: State, { count, at, name = 'visitor' }: Added): void {
  const [like] = state.visits.values();
  if (!like) throw new Error('The company has no visit to go by.');
  for (let number = 0; number < count; number++) {
    const id = `${name}-${number}`;
    const started_at = at + number * 10;
    state.visits.set(id, {
      ...like,
      id,
      link_id: 'link-0',
      email: `${id}@x.example`,
      started_at,
      ended_at: started_at,
    });
  }
}
