/** Takes the screenshots of the views in `docs/mcp.md`, from the built server with the example company, in a real host's frame. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium } from 'playwright-core';
import type { ViewName } from '../mcp/views/views.ts';
import { findBrowser } from '../scripts/browser.ts';
import { readOptions } from '../scripts/read-options.ts';
import { openView } from '../test/support/view-host.ts';

readOptions({});

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const EXTENSIONS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

type Json = Record<string, unknown>;

// The card is shown while the page waits. This browser opens nothing.
const programs = mkdtempSync(join(tmpdir(), 'docshare-pictures-'));
writeFileSync(join(programs, 'xdg-open'), '#!/bin/sh\n');
chmodSync(join(programs, 'xdg-open'), 0o755);
const env = { DISPLAY: ':0', PATH: `${programs}${delimiter}${process.env['PATH']}` };

const client = new Client({ name: 'pictures', version: '1' }, { capabilities: { extensions: EXTENSIONS } });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/mcp/main.js', '--sandbox'],
    stderr: 'ignore',
    env,
  }),
);
const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox'] });

const call = (name: string, args: Json = {}) => client.callTool({ name, arguments: args }) as Promise<Json>;

async function findId(list: string, isMatch: (item: Json) => boolean): Promise<string> {
  const { structuredContent } = await call(list);
  const { items } = structuredContent as { items: Json[] };
  return String(items.find(isMatch)?.['id']);
}

async function captureView(name: ViewName, result: Json, viewport: { width: number; theme: string }): Promise<void> {
  const host = await openView(browser, name, { width: viewport.width, context: { theme: viewport.theme } });
  await host.answer(result);
  await host.frame.waitForFunction(() => !document.body.innerText.includes('Waiting for the answer'));
  await host.page.waitForTimeout(300);
  await host.page.locator('iframe').screenshot({ path: `${FOLDER}view-${name}-${viewport.theme}.png` });
  await host.close();
}

try {
  const link = await findId('list_links', ({ name }) => String(name).includes('pitch deck'));
  const draft = await findId('list_agreements', ({ status }) => status === 'draft');
  const results: Readonly<Record<ViewName, Json>> = {
    reading: await call('report_link', { id: link }),
    pick: await call('find', { text: 'Northwind' }),
    board: await call('list_agreements'),
    confirm: await call('send_agreement', { id: draft }),
  };
  for (const name of Object.keys(results) as ViewName[]) {
    await captureView(name, results[name], { width: 760, theme: 'light' });
    await captureView(name, results[name], { width: 380, theme: 'dark' });
  }
} finally {
  await browser.close();
  await client.close();
  rmSync(programs, { recursive: true });
}
