/** Parts that each operation has in every package, with one sentence per gap: the checklist for a new operation. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { handlers } from '../../sandbox/handlers/handler-table.ts';
import { type NamedOperation, type OperationName, operations } from '../../src/index.ts';
import { tools } from '../support/mcp-parts.ts';
import { readSources } from '../support/source-files.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const zapier = readSources(['zapier'])
  .map(({ text }) => text)
  .join('\n');

/** Operations without a Zap that names them, each with the reason. */
const WITHOUT_ZAP: Partial<Record<OperationName, string>> = {
  'documents.create': 'Upload Document sends files by client.upload(), which picks the way',
  'documents.startUpload': 'Upload Document sends files by client.upload(), which picks the way',
  'documents.finalizeUpload': 'Upload Document sends files by client.upload(), which picks the way',
};

interface Place {
  /** Goes on after "links.duplicate has". */
  readonly lacks: string;
  readonly has: (named: NamedOperation) => boolean;
}

const PLACES: readonly Place[] = [
  {
    lacks: 'no row in test/contract.test.ts: type it by hand from the API document',
    has: ({ operation }) => read('test/contract.test.ts').includes(`\n${operation.route} ${operation.scope}`),
  },
  {
    lacks: 'no handler in sandbox/handlers: the sandbox can not answer it',
    has: ({ group, name }) => Object.keys(handlers[group]).includes(name.slice(group.length + 1)),
  },
  {
    lacks: 'no tool in mcp/tools: assistants can not reach it',
    has: ({ name }) => tools.some((tool) => tool.operations.includes(name)),
  },
  {
    lacks: 'no Zap in zapier: give it a trigger, an action or a search, or its reason in WITHOUT_ZAP',
    has: ({ name }) => name in WITHOUT_ZAP || usesInZapier(name),
  },
  {
    lacks: 'no row in docs/client.md: run `npm run docs`',
    has: ({ name, operation }) => read('docs/client.md').includes(`| \`client.${name}()\` | \`${operation.route}\``),
  },
  {
    lacks: 'no line in test/core/request/wire.test.ts: show its exact bytes on the wire',
    has: ({ name }) => read('test/core/request/wire.test.ts').includes(`'${name}'`),
  },
  {
    lacks: 'no call in test/support/every-operation.ts: the matrix runs it against every shape of service',
    has: ({ name }) => read('test/support/every-operation.ts').includes(`'${name}'`),
  },
];

function usesInZapier(name: string): boolean {
  const [group = '', method = ''] = name.split('.');
  // All steps that take an ID of this kind use its list.
  const isKind = method === 'list' && zapier.includes(`defineRecordKind('${group.replace(/s$/, '')}'`);
  return isKind || zapier.includes(`.${name}(`) || zapier.includes(`'${name}'`);
}

test('every operation has its parts in every package (docs/adding-an-operation.md)', () => {
  const getGaps = (named: NamedOperation) =>
    PLACES.filter(({ has }) => !has(named)).map(({ lacks }) => `${named.name} has ${lacks}.`);
  expect(operations.flatMap(getGaps)).toEqual([]);
});

test('each reason for a missing Zap belongs to an operation that still has none', () => {
  const names: readonly string[] = operations.map(({ name }) => name);
  expect(Object.keys(WITHOUT_ZAP).filter((name) => !names.includes(name) || usesInZapier(name))).toEqual([]);
});
