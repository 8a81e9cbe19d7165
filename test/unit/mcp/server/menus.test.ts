/** The tools on offer by what the start of the server says: what takes away wins over what adds. */
import { expect, test } from 'vitest';
import { selectToolset, type ToolsetOptions } from '../../../../mcp/server/select-toolset.ts';
import { CommandLineError } from '../../../../src/command-line.ts';
import { texts } from '../../../mcp/texts.ts';

const namesOf = (choice: ToolsetOptions) => selectToolset(choice).tools.map(({ name }) => name);

test.each<[string, ToolsetOptions, { in?: string; out?: string }]>([
  ['a tool besides its group', { groups: ['billing'], tools: ['list_links'] }, { in: 'list_links' }],
  ['none that was not named', { tools: ['list_links'] }, { out: 'create_link' }],
  [
    'none that is excluded, though it was named',
    { tools: ['list_links'], exclude: ['list_links'] },
    { out: 'list_links' },
  ],
  ['none that writes, though it was named', { tools: ['create_link'], readOnly: true }, { out: 'create_link' }],
  [texts.noneKeyMayCall, { tools: ['create_link'], scopes: ['links:read'] }, { out: 'create_link' }],
  ['what reads on a read-only server', { readOnly: true }, { in: 'download_agreement', out: 'send_agreement' }],
  ['one over groups with any of them', { groups: ['links'] }, { in: 'find', out: 'whoami' }],
  ['one over groups with none of them', { groups: ['billing'] }, { out: 'find' }],
  ['one about the key whatever it may', { scopes: ['billing:read'] }, { in: 'whoami' }],
])('hold %s', (_, choice, expected) => {
  const names = namesOf(choice);
  if (expected.in !== undefined) expect(names).toContain(expected.in);
  if (expected.out !== undefined) expect(names).not.toContain(expected.out);
  expect(names).toEqual([...new Set(names)]);
});

test('what is kept from its own list is not reached by a tool over several groups', () => {
  const { readableGroups: all } = selectToolset({});
  expect(all).toContain('links');
  expect(selectToolset({ exclude: ['list_links'] }).readableGroups).toEqual(all.filter((group) => group !== 'links'));
  expect(selectToolset({ scopes: ['links:read'] }).readableGroups).toEqual(['links']);
  expect(selectToolset({ groups: ['documents'], tools: ['list_links'] }).readableGroups).toEqual([
    'documents',
    'links',
  ]);
});

test.each<[ToolsetOptions, RegExp]>([
  [{ groups: ['link'] }, /^Unknown group "link"\. Did you mean "links"\? Known: documents, /],
  [{ tools: ['zzz'] }, /^Unknown tool "zzz"\. Known: /],
  [{ exclude: ['list_link'] }, /^Unknown tool "list_link"\. Did you mean "list_links"\?/],
  [{ scopes: ['links:reed'] }, /^Unknown scope "links:reed"\. Did you mean "links:read"\?/],
])('a mistyped limit %j opens no menu', (choice, says) => {
  expect(() => selectToolset(choice)).toThrow(CommandLineError);
  expect(() => selectToolset(choice)).toThrow(says);
});
