import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderForTest } from '../support/cleanup.ts';
import { listenForTest } from '../support/listen.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';

const NAMES = ['zebanna', 'zebbert', 'zebcarl', 'zebdora', 'zebemil'];

/** A record with personal names as field names. */
function record(n: number) {
  const name = NAMES[n] ?? '';
  const person = name.replace('zeb', 'Zeb');
  return {
    id: `doc_${n}abcdef`,
    name: `Deck of ${name}`,
    pace: 'slow',
    priority: 'low',
    // Common API names in other spellings.
    input_direction: 'x',
    LastEvaluatedKey: 'x',
    by_reader: { [name]: 3 },
    viewsByReader: { [name]: 1, zebfritz: 2 },
    shares: { [`${name}@example.com`]: 'view', zebgustav: 'edit' },
    seats: { [`usr_${name}`]: { open: true }, [`usr_${name}x`]: { open: false } },
    tally: { deep: { [name]: { pages: 2 }, [`${name}b`]: { pages: 1 } } },
    readers: { [person]: 1 },
    cf_zebsalary: 4,
    'zeb house': 'x',
    ...(n === 0 ? { [`${name}_note`]: 'x' } : {}),
  };
}

test.each([
  ['', /priority[\s\S]*input_direction[\s\S]*by_reader/],
  ['--keep-names', /pace[\s\S]*by_reader/],
])('personal names used as field names are in neither profile nor report: learn %s', async (option, stay) => {
  const server = createServer(({ url = '' }, response) => {
    const [, , , group, id, below] = new URL(url, 'http://127.0.0.1').pathname.split('/');
    const body =
      group !== 'documents' || below !== undefined
        ? undefined
        : id === undefined
          ? { data: NAMES.map((_, n) => record(n)), next_cursor: null }
          : { pacebox: record(Number(id[4] ?? 0)) };
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: { code: 'not_found', message: `No ${url}` } }));
  });
  const folder = createFolderForTest('learn-names-');
  const env = learnEnvironment(`${await listenForTest(server)}/api/v1`, 'key-zebkey');
  const args = ['--only', 'objects,lists', '--out', folder, ...(option ? [option] : [])];
  const { code, printed } = await runLearnCommand(args, { env });
  expect([code, printed.includes('--resume')]).toEqual([0, false]);
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(written).toHaveLength(2);
  for (const text of [...written, printed]) expect(text).not.toMatch(/zeb/i);
  // The service's own names remain.
  for (const text of written) expect(text).toMatch(stay);
  // A word that is not common in APIs may be a personal name. The output reports whether it was kept.
  const kept = option !== '';
  expect([/\bpace\b/.test(written.join()), printed.includes('were kept (--keep-names)')]).toEqual([kept, kept]);
  const profile = JSON.parse(readFileSync(join(folder, 'docshare.profile.json'), 'utf8'));
  expect(profile.learned.names === 'kept').toBe(kept);
  // Without the name of the envelope, the status of the response remains.
  const { response } = profile.operations['documents.get'];
  expect([response.status, 'body' in response]).toEqual([200, kept]);
});
