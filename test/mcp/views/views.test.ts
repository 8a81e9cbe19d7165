import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { loadViewHtml } from '../../../mcp/views/load-view-html.ts';
import { type ViewName, views } from '../../../mcp/views/views.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { openView, type ViewHost } from '../../support/view-host.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = `<img src=x onerror="parent.hacked=1"><script>1</script> \u202Eevil\u0000 ${'ä'.repeat(10_000)}`;
const result = (data: object) => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });

const pagesOf = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) => ({ page: index + 1, seconds: (index * seed) % 150 }));

/** The data of each view: typical, empty, and hostile. */
const ANSWERS: Readonly<Record<ViewName, Readonly<Record<string, object>>>> = {
  reading: {
    usual: {
      totals: { views: 3, unique_visitors: 2, total_seconds: 75, last_viewed_at: '2026-11-20T10:00:00Z' },
      visitors: [
        { name: 'Ann Lee', total_seconds: 60, visits: [{ pages: pagesOf(5, 7) }] },
        { email: 'bob@example.org', total_seconds: 15, visit_ids: ['vis_2'] },
      ],
      partial: '1 of 2 visits were not read.',
    },
    empty: { totals: { views: 0 }, visitors: [] },
    hostile: { visitors: [{ name: HOSTILE, email: HOSTILE, visits: [{ pages: pagesOf(3, 9) }] }] },
  },
  pick: {
    usual: {
      items: Array.from({ length: 40 }, (_, at) => ({ group: 'documents', id: `doc_${at}`, name: `Deck ${at}` })),
    },
    empty: { items: [] },
    hostile: { items: [{ group: HOSTILE, id: HOSTILE, name: HOSTILE, email: HOSTILE }] },
  },
  board: {
    usual: {
      items: [
        { id: 'env_1', name: 'NDA', status: 'draft', recipients: [{ name: 'Ann Lee' }] },
        { id: 'env_2', name: 'MSA', status: 'sent', sent_at: '2026-01-01T10:00:00Z', recipients: [{ name: 'Bob' }] },
        { id: 'env_3', name: 'Order', status: 'declined' },
      ],
    },
    empty: { items: [] },
    hostile: { items: [{ id: HOSTILE, name: HOSTILE, status: 'sent', sent_at: '2026-01-01', signers: [HOSTILE] }] },
  },
  confirm: {
    usual: { done: false, outcome: 'pending', preview: 'Send "NDA" to ann@example.com.\nRequest:\n- id: "env_1"' },
    empty: { done: false, outcome: 'declined' },
    hostile: {
      done: false,
      outcome: 'pending',
      preview: `Send "${HOSTILE}".\nRequest:\n- id: "${HOSTILE}"`,
      about: { name: HOSTILE, [HOSTILE]: 1 },
    },
  },
};

const browser = await closeAfterAll(openBrowser());

async function shown(name: ViewName, data: object): Promise<ViewHost> {
  const host = await openView(browser, name);
  const meta = name === 'confirm' ? { _meta: { 'docshare/card-request': { id: 't' } } } : {};
  await host.answer({ ...result(data), ...meta });
  await host.frame.waitForFunction(() => !document.body.innerText.includes('Waiting for the answer'));
  return host;
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

function faultsOf({ frame }: ViewHost): Promise<string[]> {
  return frame.evaluate(async () => {
    const { violations } = await (window as never as { axe: Axe }).axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}

/** Colors do not depend on the width, so two combinations cover both. */
const LOOKS = [
  [360, 'dark'],
  [800, 'light'],
] as const;

describe.each(views.map(({ name }) => name))('the view %s', (name) => {
  test('is one file of at most 25 kB that requests nothing from outside', async () => {
    const page = await loadViewHtml(name);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(25_000);
    expect(page).not.toMatch(/(src|href)=|@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(page).toContain("default-src 'none'");
  });

  test.each(Object.entries(ANSWERS[name]))(
    'shows the %s result on a phone in dark mode and on a desktop in light mode, without a violation in axe',
    async (_, data) => {
      const host = await closeAfterTest(shown(name, data));
      await host.frame.evaluate(AXE);
      const papers = new Set<string>();
      for (const [width, theme] of LOOKS) {
        await host.setWidth(width);
        await host.setContext({ theme });
        await host.frame.waitForFunction((own) => document.documentElement.dataset['theme'] === own, theme);
        papers.add(await host.frame.evaluate(() => getComputedStyle(document.body).backgroundColor));
        const place = `${width} px, ${theme}`;
        expect(await faultsOf(host), place).toEqual([]);
        const wide = await host.frame.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, place).toBeLessThanOrEqual(width);
      }
      expect(papers.size).toBe(LOOKS.length);
      const strange = await host.frame.evaluate(() => document.querySelectorAll('img, main script, iframe, a').length);
      expect(strange).toBe(0);
      expect(await host.page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(host.problems).toEqual([]);
    },
  );

  test('shows errors, and accepts a result that is only text', async () => {
    const host = await closeAfterTest(openView(browser, name));
    const error = { error: { code: 'not_found', message: 'There is no such thing.' } };
    await host.answer({ isError: true, content: [{ type: 'text', text: JSON.stringify(error) }] });
    await host.frame.getByText('There is no such thing.').waitFor();
    await host.answer({ content: [{ type: 'text', text: JSON.stringify(ANSWERS[name]['empty']) }] });
    await host.frame.waitForFunction(() => !document.body.innerText.includes('no such thing'));
    expect(host.problems).toEqual([]);
  });
});
