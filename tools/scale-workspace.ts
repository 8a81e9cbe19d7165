import type { Snapshot } from '../sandbox/control/sandbox.ts';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { SCOPES } from '../src/scopes.ts';
import { type Fields, type Platform, startPlatform } from '../test/support/zapier-lambda.ts';

export interface Workspace {
  readonly order: 'newest' | 'oldest';
  readonly maxPageSize: '25' | '100';
  readonly listFilters: 'none' | 'filters' | 'filters+sort';
}

/** Figure of the table with its goal: a maximum, or the value itself if `exact`. */
export interface Row {
  readonly workspace: string;
  readonly metric: string;
  readonly number: number;
  readonly goal: number;
  readonly exact?: boolean;
}

export const RECORDS = Number(process.env['SCALE_RECORDS'] ?? 3000);
const NEW_RECORDS = 30;
const HOUR_MS = 3_600_000;

/** Kinds of records: name in the app, and the trigger for their changes. */
const KINDS = {
  documents: { noun: 'document', changeTrigger: undefined },
  links: { noun: 'link', changeTrigger: undefined },
  rooms: { noun: 'room', changeTrigger: undefined },
  agreements: { noun: 'agreement', changeTrigger: 'agreement_status_changed' },
  proposals: { noun: 'proposal', changeTrigger: 'proposal_status_changed' },
  templates: { noun: 'template', changeTrigger: undefined },
  contacts: { noun: 'contact', changeTrigger: 'updated_contact' },
} as const;

export type Group = keyof typeof KINDS;
export const GROUPS = Object.keys(KINDS) as readonly Group[];

interface MeasureContext {
  readonly sandbox: Sandbox;
  readonly app: Platform;
  readonly workspace: Workspace;
  readonly addRow: (metric: string, number: number, goal: number | { exactly: number }) => void;
}

/** Runs polls, searches and drop-downs on 3,000 records of each kind, and counts their requests. */
export async function measureWorkspace(
  workspace: Workspace,
  groups: readonly Group[] = GROUPS,
): Promise<readonly Row[]> {
  const sandbox = await createSandbox({ profile: { ...workspace } });
  const app = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  const rows: Row[] = [];
  const { order, maxPageSize, listFilters } = workspace;
  const name = `${order} first, ${maxPageSize} a page, ${listFilters === 'none' ? 'no filters' : listFilters}`;
  const addRow: MeasureContext['addRow'] = (metric, number, goal) =>
    rows.push({
      workspace: name,
      metric,
      number,
      ...(typeof goal === 'number' ? { goal } : { goal: goal.exactly, exact: true }),
    });
  try {
    changeState(sandbox, (state) => {
      // A link's visitors are always read.
      for (const group of new Set([...groups, 'links'] as const))
        addRecords(state, group, { count: RECORDS - state[group].size, at: Date.now() - HOUR_MS });
      addVisits(state, { count: RECORDS, at: Date.now() - HOUR_MS });
    });
    for (const group of groups) await measureKind({ sandbox, app, workspace, addRow }, group);
    await measureVisitors({ sandbox, app, workspace, addRow });
  } finally {
    await app.close();
    await sandbox.close();
  }
  return rows;
}

async function measureKind(context: MeasureContext, group: Group): Promise<void> {
  const { sandbox, workspace, addRow } = context;
  const { noun, changeTrigger: changes } = KINDS[group];
  const pageCount = RECORDS / Number(workspace.maxPageSize);
  const trigger = `triggers.new_${noun}.operation.perform`;
  await measureFind(context, group);
  const first = await countRequests<Fields[]>(context, trigger);
  addRow(`New ${noun}: requests of the first look`, first.requests, Math.min(112, pageCount + 5));
  // If a minute's requests don't reach the end of the list, the second poll reads the rest.
  changeState(sandbox, (state) => addRecords(state, group, { count: NEW_RECORDS, at: Date.now(), name: 'News' }));
  const second = await countRequests<Fields[]>(context, trigger);
  const known = new Set(first.result.map(({ id }) => id));
  const newItems = second.result.filter(({ id }) => !known.has(id));
  const isNew = (id: unknown) => String(id).startsWith('news-');
  addRow(`New ${noun}: found of ${NEW_RECORDS}`, newItems.filter(({ id }) => isNew(id)).length, {
    exactly: NEW_RECORDS,
  });
  addRow(`New ${noun}: old ones that ran the Zap`, newItems.filter(({ id }) => !isNew(id)).length, { exactly: 0 });
  addRow(`New ${noun}: requests of the next look`, second.requests, needsSecondPoll(workspace) ? 42 : 5);
  const sample = await countRequests(context, trigger, { meta: { isLoadingSample: true } });
  addRow(`New ${noun}: requests of a test`, sample.requests, 3);
  const choices = await countRequests<Fields[]>(context, `triggers.${noun}_list.operation.perform`);
  addRow(`Drop-down of ${group}: requests a page`, choices.requests, 1);
  if (changes !== undefined) await measureChanges(context, { group, changes });
}

async function measureFind(context: MeasureContext, group: Group): Promise<void> {
  const { noun } = KINDS[group];
  const { listFilters, maxPageSize } = context.workspace;
  const field = noun === 'link' || noun === 'contact' ? 'query' : 'name';
  const perform = `searches.find_${noun}.operation.perform`;
  const find = (text: string) => {
    const inputData = { [field]: text, email: text, [noun]: text };
    return replaySearch(context, perform, { inputData });
  };
  const hit = await find(`${noun} 1500`);
  const isFiltered = listFilters !== 'none';
  const pages = RECORDS / Number(maxPageSize);
  context.addRow(`Find ${noun}: requests of a hit`, hit.requests, isFiltered ? 1 : pages + 2);
  context.addRow(`Find ${noun}: runs of a hit`, hit.runs, isFiltered ? 1 : Math.ceil(pages / 50));
  context.addRow(`Find ${noun}: found`, hit.result.length, { exactly: 1 });
  const miss = await find('Nowhere Ltd');
  context.addRow(`Find ${noun}: requests of a miss`, miss.requests, isFiltered ? 3 : pages + 3);
  if (isFiltered) {
    const again = await find('Nobody Ltd');
    context.addRow(`Find ${noun}: requests of the next miss`, again.requests, 1);
  }
}

async function measureChanges(
  context: MeasureContext,
  { group, changes }: { group: Group; changes: string },
): Promise<void> {
  const { sandbox, workspace, addRow } = context;
  const perform = `triggers.${changes}.operation.perform`;
  const poll = () => countRequests<Fields[]>(context, perform, { meta: { app: { id: `z-${changes}` } } });
  const known = new Set<unknown>();
  const newItems: string[] = [];
  const pollForNew = async () => {
    const { result, requests } = await poll();
    return { newItems: result.filter(({ id }) => !known.has(id) && known.add(id)), requests };
  };
  // Turning a Zap on records the present state; two more polls follow before anything changes.
  const [first, ...later] = [await pollForNew(), await pollForNew(), await pollForNew()];
  addRow(`${changes}: requests of the first look`, first?.requests ?? 0, workspace.maxPageSize === '25' ? 114 : 37);
  addRow(`${changes}: requests of a later look`, Math.max(...later.map(({ requests }) => requests)), 15);
  const changed = changeState(sandbox, (state) => changeRecords(state, group));
  const polls = workspace.listFilters === 'filters+sort' ? 1 : RECORDS / Number(workspace.maxPageSize) / 10 + 1;
  for (let time = 0; time < polls; time++)
    for (const item of (await pollForNew()).newItems) newItems.push(String(item[`${KINDS[group].noun}_id`]));
  addRow(
    `${changes}: found of ${changed.length} in ${polls} polls`,
    new Set(newItems.filter((id) => changed.includes(id))).size,
    { exactly: changed.length },
  );
  addRow(
    `${changes}: others that ran the Zap`,
    newItems.filter((id) => !changed.includes(id) && !id.startsWith('news-')).length,
    { exactly: 0 },
  );
}

async function measureVisitors({ sandbox, app, workspace, addRow }: MeasureContext): Promise<void> {
  const inputData = { link: 'link-0' };
  const poll = () => countRequests<Fields[]>({ sandbox, app }, 'triggers.new_visitor.operation.perform', { inputData });
  const first = await poll();
  addRow('new_visitor: requests of the first look', first.requests, workspace.maxPageSize === '25' ? 118 : 36);
  const known = new Set(first.result.map(({ id }) => id));
  changeState(sandbox, (state) => addVisits(state, { count: 5, at: Date.now(), name: 'news' }));
  const second = await poll();
  const emails = second.result.filter(({ id }) => !known.has(id)).map(({ email }) => String(email));
  addRow('new_visitor: found of 5', emails.filter((email) => email.startsWith('news-')).length, { exactly: 5 });
  addRow('new_visitor: old ones that ran the Zap', emails.filter((email) => !email.startsWith('news-')).length, {
    exactly: 0,
  });
}

/** Returns whether the newest record is 120 pages away, so that the second poll reads the rest. */
function needsSecondPoll({ order, maxPageSize, listFilters }: Workspace): boolean {
  return order === 'oldest' && maxPageSize === '25' && listFilters !== 'filters+sort';
}

/** Polls with a new key each time, since minutes pass between two polls of a Zap. */
async function countRequests<Result>(
  { sandbox, app }: Pick<MeasureContext, 'sandbox' | 'app'>,
  method: string,
  bundle: Fields = {},
): Promise<{ result: Result; requests: number }> {
  sandbox.log.clear();
  const apiKey = sandbox.key(SCOPES);
  const result = await app.run<Result>(method, { ...bundle, authData: { apiKey: apiKey, baseUrl: sandbox.url } });
  return { result, requests: sandbox.log.entries().length };
}

/** Replays a search like Zapier, until it has read the whole list. */
async function replaySearch(
  context: Pick<MeasureContext, 'sandbox' | 'app'>,
  method: string,
  bundle: Fields,
): Promise<{ result: Fields[]; requests: number; runs: number }> {
  let requests = 0;
  for (let runs = 1; ; runs++) {
    const run = await countRequests<Fields[]>(context, method, bundle).catch((error: Error) => {
      if (error.name !== 'ThrottledError') throw error;
      return { result: undefined, requests: context.sandbox.log.entries().length };
    });
    requests += run.requests;
    if (run.result) return { result: run.result, requests, runs };
  }
}

type State = Snapshot['state'];

/** Changes stored records, as other people do between two polls. */
function changeState<Result>(sandbox: Sandbox, mutate: (state: State) => Result): Result {
  const snapshot = sandbox.snapshot();
  const result = mutate(snapshot.state);
  sandbox.restore(snapshot);
  return result;
}

interface AddOptions {
  readonly count: number;
  /** Creation time of the first record; each later one is a second younger. */
  readonly at: number;
  readonly name?: string;
}

function addRecords(state: State, group: Group, { count, at, name }: AddOptions): void {
  const records: Map<string, { id: string; created_at: number }> = state[group];
  const [template] = records.values();
  const { noun } = KINDS[group];
  for (let number = 0; number < count; number++) {
    const id = name === undefined ? `${noun}-${number}` : `news-${noun}-${number}`;
    const record = {
      id,
      created_at: at + number * 10,
      updated_at: at + number * 10,
      name: `${name ?? noun} ${number}`,
    };
    records.set(id, { ...structuredClone(template), ...record });
  }
}

/** Returns the IDs of ten records spread over their list. */
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

function addVisits(state: State, { count, at, name = 'visitor' }: AddOptions): void {
  const [template] = state.visits.values();
  if (!template) throw new Error('The company has no visit to go by.');
  for (let number = 0; number < count; number++) {
    const id = `${name}-${number}`;
    const started_at = at + number * 10;
    state.visits.set(id, {
      ...template,
      id,
      link_id: 'link-0',
      email: `${id}@x.example`,
      started_at,
      ended_at: started_at,
    });
  }
}
