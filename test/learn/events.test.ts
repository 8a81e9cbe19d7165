import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { texts } from './texts.ts';

/** Paths of kind, ID and data for each event format. */
const PATHS = {
  standard: { kind: ['type'], data: ['data'] },
  object: { kind: ['type'], id: ['id'], data: ['data'] },
  payload: { kind: [expect.stringMatching(/^event_?type$/i)], data: ['payload'] },
  flat: { kind: ['event'], id: ['id'] },
} as const;

test.concurrent.for(['modern', 'minimal', 'legacy', 'numeric', 'ledger', 'raw'])(
  'a visit during the wait shows the format and the signature of the events of %s',
  async (name, { expect }) => {
    const sandbox = await createSandbox({ seed: 1, profile: `${name}+rateLimiter=sliding` });
    try {
      const apiKey = sandbox.key();
      const { links } = sandbox.snapshot().state;
      const open = [...links.values()].find((link) => !link.expires_at && !link.password);
      const { profile } = await learn({
        apiKey,
        baseUrl: sandbox.url,
        topics: ['webhooks', 'events'],
        write: { apiKey, waitSeconds: 20 },
        onProgress: (text) => {
          if (!text.startsWith(texts.openAShareLink)) return;
          void sandbox.visit(open?.id ?? '', { email: 'ada@example.com', ndaAccepted: true, pages: [3] });
        },
      });
      const { event } = profile.facts;
      const { signature, eventShape } = sandbox.profile;
      expect(event).toMatchObject({ signature, kinds: ['link.viewed'], ...PATHS[eventShape] });
      expect(JSON.stringify(event)).not.toContain('ada@');
      expect(sandbox.snapshot().state.webhooks.size).toBe(0);
    } finally {
      await sandbox.close();
    }
  },
);
