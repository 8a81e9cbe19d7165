import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { type Client, createClient } from '../src/index.ts';

type State = ReturnType<Sandbox['snapshot']>['state'];

/** Kinds of stored records that a job can name. */
export type Kind = 'documents' | 'links' | 'rooms' | 'agreements' | 'proposals' | 'templates' | 'contacts' | 'webhooks';

/** A service with the example company, a folder with the person's files, and the contents of both. */
export interface World {
  readonly sandbox: Sandbox;
  readonly apiKey: string;
  /** The folder that the assistant may read and write. */
  readonly folder: string;
  /** A client with all rights, to prepare jobs and to solve them for the oracle. */
  readonly client: Client;
  all<Name extends Kind>(kind: Name): Stored<Name>[];
  /** The first record with this name or email address. @throws Error if there is none */
  find<Name extends Kind>(kind: Name, name: string): Stored<Name>;
  close(): Promise<void>;
}

export type Stored<Name extends Kind> = State[Name] extends Map<string, infer Value extends object> ? Value : never;

/** Sandbox profiles that differ in paging, naming, IDs, dates and responses. Jobs are spread over them. */
export const DIALECTS = ['modern', 'legacy', 'numeric', 'ledger', 'enterprise', 'gateway'] as const;
export type Dialect = (typeof DIALECTS)[number];

export async function openWorld(dialect: Dialect): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'docshare-eval-'));
  const sandbox = await createSandbox({ profile: dialect, data: 'company', seed: 11 });
  const apiKey = sandbox.key();
  const client = createClient({ apiKey, baseUrl: sandbox.url });
  const all = <Name extends Kind>(kind: Name) => [...sandbox.snapshot().state[kind].values()] as Stored<Name>[];
  return {
    sandbox,
    apiKey,
    folder,
    client,
    all,
    find(kind, name) {
      const found = all(kind).find((record) => [getRecordName(record), getEmail(record)].includes(name));
      if (!found) throw new Error(`The example company has no ${kind} named ${name}`);
      return found;
    },
    async close() {
      await client.close();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const getRecordName = (record: object) =>
  'name' in record ? String(record.name) : 'url' in record ? String(record.url) : '';
const getEmail = (record: object) => ('email' in record ? String(record.email) : undefined);
