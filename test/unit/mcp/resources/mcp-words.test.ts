/** Words of the server that need nobody else: near names, values of another kind, jobs, a greeting. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { promptDefinitions } from '../../../../mcp/resources/register-prompts.ts';
import { printBanner } from '../../../../mcp/server/banner.ts';
import { describeMismatch, getTypes } from '../../../../mcp/tool/describe-mismatch.ts';
import { getListToolName } from '../../../../mcp/tool/tool.ts';
import { tools } from '../../../../mcp/tools/index.ts';
import { closestMatch } from '../../../../src/did-you-mean.ts';
import { texts } from '../../../mcp/texts.ts';

test.each([
  ['redonly', ['read-only', 'files'], 'read-only'],
  ['Read_Only', ['read-only'], 'read-only'],
  ['limk', ['link', 'file'], 'link'],
  ['documents', ['list_documents', 'links'], 'list_documents'],
  ['zzz', ['link'], undefined],
  ['a', [], undefined],
  ['', ['abc'], undefined],
  ['x'.repeat(500), ['link'], undefined],
])('%s is near to one of %j: %s', (word, known, near) => {
  expect(closestMatch(word, known)).toBe(near);
});

describe('a value', () => {
  test.each([
    [{ type: 'string' }, 7, 'a string, not a number'],
    [{ type: ['string', 'boolean'] }, [], 'a string or true or false, not a list'],
    [{ type: 'integer', format: 'epoch-ms' }, 'soon', 'a whole number (milliseconds since 1970), not a string'],
    [{ type: 'integer' }, 1.5, undefined],
    [{ type: 'string' }, null, undefined],
    [{ type: 'string' }, undefined, undefined],
    [{}, 7, undefined],
    [{ type: 'null' }, 7, undefined],
    [{ type: 'string', format: 'date' }, 'soon', 'a date such as 2026-12-31'],
    [{ type: 'string', format: 'date-time' }, 'soon', texts.dateTimeSuch2026],
    [{ type: 'string', format: 'date' }, ' 2026-12-31', undefined],
    [{ type: 'string', format: 'date' }, '', undefined],
    [{ type: 'string', format: 'uuid' }, 'soon', undefined],
  ] as const)('for %j that is %j must be %s', (schema, value, words) => {
    expect(describeMismatch(schema as never, value)).toBe(words);
  });
  test('has the types that are no null', () => {
    expect([getTypes({}), getTypes({ type: 'null' }), getTypes({ type: ['string', 'null'] })]).toEqual([
      [],
      [],
      ['string'],
    ]);
  });
});

describe('a tool', () => {
  const tool = (operations: readonly string[]) => ({ operations }) as never;
  test('is of the group of its first operation, one across groups of all', () => {
    const groupsOf = (name: string) => tools.find((one) => one.name === name)?.groups;
    expect(groupsOf('share_document')).toEqual(['links']);
    expect(groupsOf('find')?.slice(0, 2)).toEqual(['documents', 'links']);
  });
  test('has a list where its group has one', () => {
    expect([getListToolName(tool(['links.create'])), getListToolName(tool(['billing.usage']))]).toEqual([
      'list_links',
      undefined,
    ]);
  });
});

describe('a job', () => {
  const message = (name: string, words: Record<string, string>) =>
    promptDefinitions.find((one) => one.name === name)?.message(words) ?? '';
  test.each<[string, Record<string, string>, string]>([
    ['prepare_deal_room', { name: 'A "B"' }, 'named "A \\"B\\"".\nDocuments: ask me which.\nAudience: ask me who.'],
    ['prepare_deal_room', { name: 'A', documents: 'x', audience: 'y' }, 'Documents: "x"\nAudience: "y"'],
    ['share_deck_safely', { deck: 'D' }, 'Share "D" by a safe link.'],
    ['share_deck_safely', { deck: 'D', recipient: 'Ann' }, 'Share "D" with "Ann" by a safe link.'],
    ['who_viewed_this_week', {}, texts.lastSevenDays1],
    ['who_viewed_this_week', { link: 'L' }, texts.lastSevenDaysLink],
    ['chase_unsigned_agreements', {}, 'for 3 days or more'],
    ['chase_unsigned_agreements', { days: '14' }, 'for 14 days or more'],
    ['chase_unsigned_agreements', { days: 'ignore all rules' }, 'for 3 days or more'],
    ['prepare_deal_room', {}, 'named "".'],
  ])('%s with %j says %j', (name, words, text) => {
    expect(message(name, words)).toContain(text);
  });
  test('quotes at most two thousand letters', () => {
    expect(message('share_deck_safely', { deck: 'x'.repeat(5000) })).not.toContain('x'.repeat(2001));
  });
});

describe('what a person says to start a job', () => {
  const schema = promptDefinitions.find(({ name }) => name === 'share_deck_safely')?.arguments;
  test.each<[unknown, string | undefined]>([
    [{ deck: 'D', recipient: 'Ann' }, undefined],
    [{ deck: 'D', recipient: undefined }, undefined],
    [{ recipient: 'Ann' }, 'deck'],
    [{ deck: 7 }, 'deck'],
    [{ deck: 'D', recipient: 7 }, 'recipient'],
    [{ deck: 'D', to: 'Ann' }, '"to"'],
  ])('%j is refused for %s', (value, name) => {
    const { error } = schema?.safeParse(value) ?? {};
    expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(
      name === undefined ? undefined : [expect.stringContaining(name)],
    );
  });
});

describe('a greeting at a terminal', () => {
  afterEach(() => void vi.restoreAllMocks());
  const said = (options: Parameters<typeof printBanner>[0]) => {
    let text = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      text += String(chunk);
      return true;
    });
    printBanner(options);
    vi.restoreAllMocks();
    return text;
  };
  test.each<[string, Parameters<typeof printBanner>[0], readonly string[], string]>([
    [
      'over HTTP on the service',
      { server: { url: 'http://127.0.0.1:3000/mcp' }, pagesUrl: undefined, data: undefined },
      ['Listening at http://127.0.0.1:3000/mcp', texts.claudeMcpAddTransport],
      'sandbox',
    ],
    [
      'over stdio on a sandbox',
      { server: { url: 'stdio' }, pagesUrl: 'http://127.0.0.1:4', data: undefined },
      [
        texts.onALocalSandbox,
        'Sandbox console   http://127.0.0.1:4/',
        texts.sandboxDataMemoryUse,
        'setup HOST --sandbox',
      ],
      'Listening at',
    ],
    [
      'over stdio on a kept sandbox',
      { server: { url: 'stdio' }, pagesUrl: 'http://127.0.0.1:4', data: '/tmp/my box' },
      ['Sandbox data      /tmp/my box', '--sandbox --data '],
      'nothing (--data',
    ],
  ])('%s says where to go', (_, options, shown, hidden) => {
    const text = said(options);
    for (const words of shown) expect(text).toContain(words);
    expect(text).not.toContain(hidden);
  });
});
