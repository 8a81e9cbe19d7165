/** Keeps phrases that readers have to read twice out of the docs, messages and comments of the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../support/root-folder.ts';
import { readSources } from '../support/source-files.ts';

/** A phrase, and a better wording. */
type Rule = readonly [phrase: RegExp, better: string];

const PHRASES: readonly Rule[] = [
  [/\bwhere (?:it|they|nothing|nobody|none|one|there is no|this one)\b/gi, 'if, when, or a noun like "its location"'],
  [/\b(?:is|are|was|were|be|been) told\b/gi, 'receives, sees, or gets an error'],
  [/\bstands? (?:for|in|at|behind|beside|on|there|before|alone)\b/gi, 'means, is, or is stored in'],
  [/(?<!there )\b(?:is|are|was|were|be) no (?!longer\b|more\b|match\b)[a-z]+/gi, 'is not a'],
  [/\bof (?:its|their|our|his|her) own\b/gi, 'its own, or separate'],
  [/\bin (?:the )?place of\b/gi, 'instead of'],
  [/\bcomes? to\b/gi, 'is, or reaches'],
  [/\bgo(?:es)? on\b/gi, 'continues'],
  [/\b(?:anew|whoever|heeds?|heeded|bears)\b/gi, 'again, the one who, follows, or has'],
  [/\bwithout a word\b/gi, 'silently'],
  [/\bper minute and key\b/gi, 'per minute per key'],
];

/** The first words of a comment. It begins with what its symbol is or does, not with a question word. */
const OPENINGS: readonly Rule[] = [
  [comment('Whether'), '"Returns whether…" for a function, "True if…" for a field'],
  [comment('Where'), '"Position of…" or "Location of…"'],
  [comment('What|Which|Whom?|Whoever|Whose'), 'a noun such as "Metadata of…", or a verb such as "Returns…"'],
];

function comment(words: string): RegExp {
  return new RegExp(`(?:/\\*\\*(?:\\n\\s*\\*)?|(?<!//[^\\n]*\\n\\s*)//) (?:${words})\\b.{0,30}`, 'g');
}

function find(path: string, text: string, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([phrase, better]) =>
    [...text.matchAll(phrase)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: "${found.replace(/\s+/g, ' ')}"; better: ${better}`;
    }),
  );
}

const pages = ['.', 'docs', 'docs/packages']
  .flatMap((folder) => readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`.replace('./', '')))
  .filter((name) => name.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
const sources = readSources(['src', 'mcp', 'zapier', 'learn', 'sandbox']);

test('docs, messages and comments contain no phrase that has to be read twice', () => {
  expect(pages.length).toBeGreaterThan(15);
  expect([...pages, ...sources].flatMap(({ path, text }) => find(path, text, PHRASES))).toEqual([]);
});

test('a comment begins with what its symbol is or does, not with a question word', () => {
  expect(sources.flatMap(({ path, text }) => find(path, text, OPENINGS))).toEqual([]);
});

test('each rule finds its phrase, and leaves standard English alone', () => {
  const bad =
    'where nothing is, is told, stands in, is no error, of its own, in the place of, comes to, goes on, anew, ';
  expect(find('a.ts', `${bad}without a word, per minute and key`, PHRASES)).toHaveLength(PHRASES.length);
  expect(
    find('a.ts', 'There is no limit. It is no longer its own. Instead of it, no match is found.', PHRASES),
  ).toEqual([]);
  expect(
    find('a.ts', '/** Whether a */\n/**\n * Where b */\n// What c', OPENINGS).map((text) => text.slice(0, 7)),
  ).toEqual(['a.ts:1:', 'a.ts:2:', 'a.ts:4:']);
  expect(find('a.ts', '/** Returns what a */\n// One\n// Which continues.', OPENINGS)).toEqual([]);
});
