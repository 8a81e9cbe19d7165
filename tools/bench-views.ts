/** Measures the heat map in the tests' browser, from the host's message to the last rendered row. */
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';
import { openView } from '../test/support/view-host.ts';
import { failOnSlowTime } from './fail-on-slow-time.ts';

readOptions({});

declare global {
  interface Window {
    receivedAt: number;
    drawn: Promise<number>;
  }
}

const MAX_DRAW_MS = 300;
const ROUNDS = 3;
const [VISITORS, PAGES] = [2000, 300];

const visitors = Array.from({ length: VISITORS }, (_, index) => ({
  name: `Visitor ${index}`,
  total_seconds: index,
  visits: [{ pages: Array.from({ length: PAGES }, (_, at) => ({ page: at + 1, seconds: (at * index) % 130 })) }],
}));
const toolResult = { content: [], structuredContent: { totals: { views: VISITORS }, visitors } };

/** Runs in the frame before the view's script, so that it receives the message first. */
function observeView() {
  window.addEventListener('message', ({ data }) => {
    if (data?.method === 'ui/notifications/tool-result') window.receivedAt = performance.now();
  });
  window.drawn = new Promise((resolve) => {
    new MutationObserver(() => {
      if (document.querySelectorAll('button.reader').length < 25) return;
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - window.receivedAt)));
    }).observe(document, { childList: true, subtree: true });
  });
}

const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });
try {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const host = await openView(browser, 'reading', { before: observeView });
    await host.answer(toolResult);
    times.push(await host.frame.evaluate(() => window.drawn));
    await host.close();
  }
  const median = Math.round(times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0);
  console.log('views');
  console.log(`  ${VISITORS} visitors by ${PAGES} pages, drawn  ${median} ms (at most ${MAX_DRAW_MS} allowed)`);
  if (median > MAX_DRAW_MS) failOnSlowTime();
} finally {
  await browser.close();
}
