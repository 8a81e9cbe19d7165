/**
 * Text of strangers is cheap to read: what costs n for n characters costs about eight times that for 8n. Told by
 * the ratio, never by the clock alone.
 */
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../mcp/answer/secrets.ts';
import { untrustedPaths } from '../../mcp/answer/untrusted.ts';
import { isWebPage, wordsOfMarkup } from '../../src/answer/markup.ts';
import { redact, secretsIn } from '../../src/answer/redact.ts';
import { readRefusal } from '../../src/answer/refusal.ts';
import { explainRefusal } from '../../src/upload/storage-refusal.ts';
import { readPeople } from '../../zapier/forms/form.ts';

/** Pieces that are repeated to a text, each followed by an end that makes an expression look for another way. */
const PIECES = [
  '\\',
  '"',
  '\\"',
  '"token',
  '"token":"',
  '\\"token\\":\\"\\',
  '"a" ',
  'token',
  'token-',
  '?token',
  '&sig=',
  '=',
  ' ',
  '\t \n',
  '<',
  '<a',
  '<script',
  '<script></scrip',
  '<!--',
  'http://',
  'http://a?',
  'https://a.b/',
  'bearer ',
  'basic  %20+',
  '.',
  ';filename="',
  ";filename*=a'",
  '%',
  'x-amz-a-',
  '{"errors":[',
  '[',
  '\u00e9',
  '\ud83d\ude00',
  'é\u0130',
];
const ENDS = ['', '!', '"', '>', '\u0130', ' x', '\n<'];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  redact: (text) => redact(text, ['sk_live_1']),
  secretsIn: (text) => secretsIn({ [text]: 'value' }),
  wordsOfMarkup,
  isWebPage: (text) => isWebPage(`<${text}`),
  readRefusal: (text) => readRefusal(text, ['sk_live_1']),
  'readRefusal of JSON': (text) =>
    readRefusal(JSON.stringify({ message: text, errors: { [text]: [text] } }), []),
  explainRefusal: (text) =>
    explainRefusal(403, text, {
      uploadUrl: 'https://s.test/upload',
      headers: {},
      storageKey: 'k',
      token: 'secret-token',
    }),
  withoutSecrets: (text) => withoutSecrets({ a: text, b: `https://${text}` }, []),
  untrustedPaths: (text) => untrustedPaths({ a: text, [text]: text }),
  readPeople: (text) => {
    try {
      return readPeople(`Ann${text}b`);
    } catch {
      return undefined;
    }
  },
};

/** Milliseconds of processor time, the least of three runs: a busy machine does not count. */
function costOf(read: (text: string) => unknown, text: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

const SHORT = 8 * 1024;
const LONG = 8 * SHORT;

/** How many times as much a text costs that is eight times as long: 8 where the reader is linear, 64 where it is quadratic. */
function growthOf(read: (text: string) => unknown, text: (length: number) => string): number {
  const long = costOf(read, text(LONG));
  // Less than that is never quadratic at this length, and its ratio is noise.
  return long < 40 ? 1 : long / costOf(read, text(SHORT));
}

test.each(Object.entries(READERS))('%s reads text of any kind in linear time', (_, read) => {
  const slow: string[] = [];
  for (const piece of PIECES)
    for (const end of ENDS) {
      const text = (length: number) => piece.repeat(length / piece.length) + end;
      // Again where it looks bad: a pause of the machine is no growth.
      const bad = () => growthOf(read, text) > 24;
      if (bad() && bad() && bad()) slow.push(`${JSON.stringify(piece)} … ${JSON.stringify(end)}`);
    }
  expect(slow).toEqual([]);
});
