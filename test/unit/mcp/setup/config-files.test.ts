import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { updateConfig } from '../../../../mcp/setup/config-file.ts';
import { removeEntry, setEntry } from '../../../../mcp/setup/host-entry.ts';
import { createEntry, type HostDefinition, hosts } from '../../../../mcp/setup/hosts.ts';
import { texts } from '../../../mcp/texts.ts';
import { newHome } from '../../../support/setup-run.ts';

test('if another program writes during the change, the change is repeated on the new content', async () => {
  const file = join(newHome(), 'settings.json');
  writeFileSync(file, 'one');
  const seen: (string | undefined)[] = [];
  const done = await updateConfig(file, ({ text }) => {
    seen.push(text);
    if (seen.length === 1) writeFileSync(file, 'two');
    return { text: `${text} more` };
  });
  expect([done, seen, readFileSync(file, 'utf8')]).toEqual([true, ['one', 'two'], 'two more']);
});

test('a file that keeps changing is left unchanged after five attempts', async () => {
  const file = join(newHome(), 'settings.json');
  let tries = 0;
  const changing = updateConfig(file, () => {
    tries += 1;
    writeFileSync(file, `${tries}`);
    return { text: 'ours' };
  });
  await expect(changing).rejects.toThrow(texts.beingChangedAnotherProgram);
  expect([tries, readFileSync(file, 'utf8'), existsSync(`${file}.docshare-new`)]).toEqual([5, '5', false]);
});

const edited = hosts.filter(({ form }) => form === 'json');
const read = (text: string) => {
  const errors: { offset: number }[] = [];
  expect(errors, text).toEqual([]);
  return parse(text, errors as never, { allowTrailingComma: true });
};
const entryOf = (host: HostDefinition) =>
  createEntry(host, {
    command: 'x',
    args: ['a'],
    env: { DOCSHARE_BASE_URL: 'u' },
    key: host.asksForKey ? host.getKeyReference?.('K') : 'k',
  });

/** Whitespace and comments between two tokens, some of which look like the entry. */
const gap = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\t',
  '\r\n\t',
  ' /* c, } */ ',
  ' // x, {\n',
  '\n// "docshare": {\n',
);
const around = (text: fc.Arbitrary<string>) => fc.tuple(gap, text, gap).map((parts) => parts.join(''));
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', 'null', '"a,}// \\" {"'),
    tie('object'),
    around(tie('value')).map((inner) => `[${inner}]`),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(gap, gap, around(tie('value'))), { maxLength: 3 }), fc.boolean(), gap)
    .map(([members, trailing, end]) => {
      const inner = members.map(([lead, colon, one], index) => `${lead}"k${index}"${colon}:${one}`).join(',');
      return `{${inner}${trailing && members.length > 0 ? ',' : ''}${end}}`;
    }),
}));
const settings = fc
  .tuple(
    fc.constantFrom(...edited),
    value.filter((text) => text.startsWith('{')),
    fc.option(value.filter((text) => text.startsWith('{'))),
    gap,
    gap,
  )
  .map(([host, other, servers, lead, end]) => ({
    host,
    text: `${lead}{"other": ${other}${servers === null ? '' : `, "${host.serversKey}": ${servers}`}${end}}${end}`,
  }));

test('in any valid file, the entry is added completely, once, and removed again, and all else is kept', () => {
  fc.assert(
    fc.property(settings, ({ host, text }) => {
      const name = 'f';
      const entry = entryOf(host);
      const before = read(text);
      const set = setEntry(text, { host, entry, name });
      expect(read(set)[host.serversKey].docshare).toEqual(entry);
      expect(setEntry(set, { host, entry, name })).toBe(set);
      const after = read(removeEntry(set, { host, name }));
      expect(after).toEqual({ [host.serversKey]: {}, ...(host.asksForKey ? { inputs: [] } : {}), ...before });
      const comments = (one: string) => one.match(/\/\* c, \} \*\/|\/\/ x, \{|\/\/ "docshare": \{/g)?.length ?? 0;
      expect(comments(set)).toBe(comments(text));
    }),
    { seed: 14, numRuns: 400 },
  );
});

test('an equal entry that the user formatted differently is left unchanged', () => {
  const [host] = edited;
  if (!host) throw new Error('No host');
  const text = `{"mcpServers": {"docshare": ${JSON.stringify(entryOf(host)).replaceAll(',', ' , ')}}} // mine\n`;
  expect(setEntry(text, { host, entry: entryOf(host), name: 'f' })).toBe(text);
});
