import { expect, test } from 'vitest';
import { describeFailure } from '../../../../mcp/result/describe-failure.ts';
import { ToolError } from '../../../../mcp/tool-error.ts';
import { InputError } from '../../../../src/errors.ts';

const sentence = (given: string) => `There is no file at ${given}. Allowed folders: /a.`;

test.each([
  ['a tool', (message: string) => new ToolError('no_file', message)],
  ['the client', (message: string) => new InputError(message)],
])(
  'a failure of %s with a huge word in it keeps its beginning and its end, and says how much it left out',
  (_, fault) => {
    const said = (given: string) => String(describeFailure(fault(sentence(given)), {})['message']);
    const bare = sentence('').length;
    expect(said('x'.repeat(4000 - bare))).toBe(sentence('x'.repeat(4000 - bare)));
    expect(said('x'.repeat(4001 - bare))).toContain('… (1 characters omitted) …');
    const long = said('x'.repeat(200_000));
    expect(long).toMatch(/^There is no file at x+… \(196042 characters omitted\) …x+\. Allowed folders: \/a\.$/);
    expect(long).toHaveLength(4000 + '… (196042 characters omitted) …'.length);
    // A sign of two halves is cut on neither side.
    for (const edge of ['', 'x']) {
      for (const given of [`${edge}${'😀'.repeat(9000)}`, `${'😀'.repeat(9000)}${edge}`]) {
        expect(said(given).isWellFormed()).toBe(true);
        expect(said(given)).toMatch(
          /^There is no file at x?(😀)+… \(\d+ characters omitted\) …(😀)+x?\. Allowed folders: \/a\.$/,
        );
      }
    }
  },
);
