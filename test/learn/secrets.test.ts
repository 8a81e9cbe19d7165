/** Nothing of an account stands in what the learner writes: every text that came over the wire is looked for. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createSandbox, type Fixtures } from '../../sandbox/index.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { collectTexts, createTap } from '../support/wire-tap.ts';

const folder = mkdtempSync(join(tmpdir(), 'learn-secrets-'));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command line against a service behind a tap. Returns all received texts, and all written and printed ones. */
async function learnThrough(service: { url: string; key: string }, args: readonly string[]) {
  const tap = await createTap(service.url);
  try {
    const { code, printed } = await runLearnCommand([...args, '--out', folder], {
      env: learnEnvironment(tap.url, service.key),
    });
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return { code, came: tap.came(), written: [printed, ...files].join('\n') };
  } finally {
    await tap.close();
  }
}

const CANARIES: Fixtures = {
  documents: [
    { id: 'doc_c4n4ryd0cument', name: 'Canary Merger Memorandum', pages: 2, canaryFieldOfMine: 'canary-own-value' },
    { id: 'doc_c4n4ryd0cumen2', name: 'Quiet second canary', pages: 1 },
  ],
  links: [
    {
      document_id: 'doc_c4n4ryd0cument',
      name: 'Canary for the Fund',
      visits: [{ email: 'canary.visitor@example.com', pages: [12] }],
    },
  ],
  rooms: [
    {
      name: 'Canary room',
      groups: [{ id: 'grp_c4n4rygr0up', name: 'Canary investors', emails: ['canary.member@example.com'] }],
      permissions: [{ group_id: 'grp_c4n4rygr0up', access: 'view' }],
    },
  ],
  templates: [{ name: 'Canary order form', fields: [{ label: 'canary cell' }] }],
  agreements: [
    { document_id: 'doc_c4n4ryd0cument', recipients: ['canary.signer@example.com'], message: 'Canary words' },
  ],
  proposals: [
    {
      name: 'Canary offer',
      email: 'canary.buyer@example.com',
      items: [{ description: 'Canary line', price: 7771234 }],
    },
  ],
  contacts: Array.from({ length: 6 }, (_, index) => ({
    email: `canary.person${index}@example.com`,
    name: `Canary Person ${index}`,
    tags: ['canary-tag'],
    ...(index === 2 ? { 'Canary stage': 'canary-stage-value', canaryOnlyHere: 'canary-single' } : {}),
  })),
  webhooks: [
    { url: 'https://canary-hooks.example.com/t0ken', events: ['link.viewed'], secret: 'canary-webhook-secret' },
  ],
};

/** What the profile says by name, and words of the document itself that an answer repeats. */
const SAID = ['AES256', 'aws:kms', '/uploads/'];

test.for(['modern', 'enterprise', 'numeric', 'gateway'])(
  'for %s, no received text is written or printed',
  async (name) => {
    const profile = `${name}+undocumentedDeletes=all+rateLimiter=sliding+webhookBody=url+events`;
    const sandbox = await createSandbox({ seed: 1, profile, fixtures: CANARIES });
    try {
      const key = sandbox.key();
      const { code, came, written } = await learnThrough({ url: sandbox.url, key }, ['--write']);
      expect(code).toBe(0);
      const texts = collectTexts(came).filter((text) => !SAID.includes(text));
      expect(texts.length).toBeGreaterThan(100);
      expect(texts.filter((text) => written.includes(text))).toEqual([]);
      expect(written.split('\n').filter((line) => /canary/i.test(line))).toEqual([]);
      expect(written).not.toContain(key);
    } finally {
      await sandbox.close();
    }
  },
);
