/** Parses email addresses as people and programs write them. */
import { describe, expect, test } from 'vitest';
import { parseRecipients } from '../../../../zapier/fields/parse-email.ts';

describe('recipients', () => {
  test('are one or several per line, with or without names', () => {
    expect(
      parseRecipients(['Ann Lee <ann@x.example>', 'bob@x.example, "Cy" <cy@x.example>; ', '', ' d@e \n'], 'To'),
    ).toEqual([
      { email: 'ann@x.example', name: 'Ann Lee' },
      { email: 'bob@x.example' },
      { email: 'cy@x.example', name: 'Cy' },
      { email: 'd@e' },
    ]);
    expect(parseRecipients(undefined, 'To')).toEqual([]);
  });
  test.each([
    '<ann@x.example>',
    'mailto:ann@x.example',
    'MAILTO:ann@x.example?subject=Hi',
    '“ann@x.example”',
    '«ann@x.example»',
    "'ann@x.example'",
    'ann@x.example.',
    '(ann@x.example)',
    '\u200bann@x.example\u00a0',
  ])('%j is ann@x.example', (text) => {
    expect(parseRecipients([text], 'To')).toEqual([{ email: 'ann@x.example' }]);
  });
  test.each(['ann', 'ann@', '@x', 'a b@x', 'a@b@c', 'Ann <ann@x y>', 'Ann <>', 'a@b..c', 'ann@x“y”'])(
    '%j is not an address',
    (text) => {
      expect(() => parseRecipients([text], 'To')).toThrow('is not an email address');
    },
  );
  test.each([['ann@x.example', 'ANN@x.example'], ['Ann <ann@x.example>, mailto:ann@x.example']])(
    'a person listed twice is rejected: %j',
    (...lines) => {
      expect(() => parseRecipients(lines, 'To')).toThrow('twice');
    },
  );
});
