import { parse } from '@babel/parser';
import { expect, test } from 'vitest';
import { readSources } from '../support/source-files.ts';

const files = readSources(['src', 'mcp', 'zapier', 'learn', 'sandbox']);

/** Words this project no longer uses in names, each with the standard term. A name is compared part by part. */
const RETIRED: Readonly<Record<string, string>> = {
  amiss: 'invalid',
  asked: 'request or requested',
  barren: 'empty',
  deed: 'idempotencyKey or canonicalCall',
  deeds: 'createdResources or idempotencyStore',
  disguised: 'encoded',
  door: 'channel, page, access or entry point',
  doors: 'channels or entry points',
  doubt: 'unknownOutcome or unverified',
  doubtful: 'unverified',
  doubts: 'unverified',
  figure: 'metric',
  figures: 'metrics or stats',
  gap: 'incompleteReason',
  gaps: 'reasons',
  given: 'input or options',
  heard: 'received',
  heeded: 'isSupported',
  heeds: 'isSupported',
  inflow: 'bodyStream',
  invent: 'generate',
  janitor: 'cleanupProcess',
  judge: 'evaluate',
  judged: 'evaluated',
  keeper: 'store',
  kept: 'stored',
  kin: 'related',
  life: 'ttl',
  likeness: 'similarity',
  linger: 'lingeringClose',
  manners: 'commonHeaders',
  mend: 'repair',
  moment: 'timestamp',
  nearest: 'closest',
  onward: 'cursor or PageCursor',
  owed: 'pending',
  refusal: 'rejection (by the API), decline (by a person) or error',
  refusals: 'rejections (by the API), declines (by a person) or errors',
  retold: 'replayed',
  reveals: 'unredactedFields',
  said: 'explicit or declared',
  scene: 'context',
  sight: 'keyStatus',
  sought: 'searched',
  standing: 'existing or current',
  steady: 'deterministic',
  told: 'notified or reported',
  unanswered: 'inFlight or timedOut',
  untroubled: 'callSafely',
  verdict: 'result or decision',
  verdicts: 'results',
  world: 'context or dependencies',
};

/** Names that contain such a word, each with the reason it is allowed. */
const ALLOWED: Readonly<Record<string, string>> = {
  openWorldHint: 'a field of MCP',
  givenName: 'a person’s first name',
};

/** Constants with these prefixes are bounds: `MAX_…` or `MIN_…`. */
const RETIRED_BOUND = /^(MOST|LONGEST|LARGEST|LEAST|SHORTEST|SLOWEST)(_|$)/;
const MAX_OF_ACCESSOR_USES = 120;
const BUILT_IN_OF = /^(indexOf|lastIndexOf|setPrototypeOf|anyOf|allOf|oneOf)$/;

const names = files.map(({ path, text }) => {
  const { tokens } = parse(text, { sourceType: 'module', plugins: ['typescript'], tokens: true });
  return { path, names: (tokens ?? []).flatMap(({ type, value }) => (type.label === 'name' ? [String(value)] : [])) };
});

function splitName(name: string): string[] {
  return name.split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((part) => part.toLowerCase());
}

function findRetired(name: string): string[] {
  if (Object.hasOwn(ALLOWED, name)) return [];
  if (RETIRED_BOUND.test(name)) return [`${name}: use MAX_… or MIN_…`];
  return splitName(name).flatMap((part) =>
    Object.hasOwn(RETIRED, part) ? [`${name}: use ${RETIRED[part]} instead of ${part}`] : [],
  );
}

test('no name in the product uses a retired word', () => {
  const found = names.flatMap(({ path, names: used }) =>
    [...new Set(used)].flatMap(findRetired).map((problem) => `${path}: ${problem}`),
  );
  expect(found).toEqual([]);
});

test('no file or folder name contains a retired word', () => {
  const parts = files.flatMap(({ path }) =>
    path.split(/[/.-]/).flatMap((part) => (Object.hasOwn(RETIRED, part) ? [`${path}: use ${RETIRED[part]}`] : [])),
  );
  expect(parts).toEqual([]);
});

test('accessors are verbs, not …Of, except a few that read as English', () => {
  const uses = names.flatMap(({ names: used }) =>
    used.filter((name) => /[a-z]Of$/.test(name) && !BUILT_IN_OF.test(name)),
  );
  expect(uses.length).toBeLessThanOrEqual(MAX_OF_ACCESSOR_USES);
});

test('every exception for a retired word is still needed', () => {
  const used = new Set(names.flatMap(({ names: all }) => all));
  expect(Object.keys(ALLOWED).filter((name) => !used.has(name))).toEqual([]);
});
