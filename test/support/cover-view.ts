import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { loadViewHtml } from '../../mcp/views/load-view-html.ts';
import type { ViewName } from '../../mcp/views/views.ts';
import { buildView } from '../../scripts/build-views.ts';
import { isMutating, mutateView } from '../../tools/mutants/mutate-view.ts';

const folder = process.env['NODE_V8_COVERAGE'];
const isCovering = process.env['DOCSHARE_COVERAGE'] !== undefined && folder !== undefined;
/** True if a view is built from sources that may be changed, and needs a page that runs it for the first time. */
export const isTraced = isCovering || isMutating;
const made = new Map<ViewName, ReturnType<typeof buildView>>();

/** Returns the page of a view as it is built. Under coverage or a mutant, it is built from the sources. */
export async function viewPage(name: ViewName): Promise<string> {
  return isTraced ? (await traceable(name)).page : loadViewHtml(name);
}

/** Counts what the view runs. @returns a function that stops and stores the counts next to those of processes. */
export async function coverView(page: Page, name: ViewName): Promise<() => Promise<void>> {
  if (isMutating) return mutateView(page);
  if (!isCovering) return async () => {};
  const { script } = await traceable(name);
  await page.coverage.startJSCoverage({ resetOnNavigation: false, reportAnonymousScripts: true });
  return async () => {
    const counts = await page.coverage.stopJSCoverage();
    const url = pathToFileURL(fileOf(name)).href;
    const result = counts
      .filter(({ source }) => source === script)
      .map(({ functions }) => ({ scriptId: '0', url, functions }));
    await mkdir(folder as string, { recursive: true });
    await writeFile(join(folder as string, `view-${randomUUID()}.json`), JSON.stringify({ result }));
  };
}

/** Not minified, so that each branch is one of the source. */
function traceable(name: ViewName): ReturnType<typeof buildView> {
  let view = made.get(name);
  if (!view) {
    view = buildView(name, { minify: false }).then(async (made) => {
      await mkdir('coverage/views', { recursive: true });
      await writeFile(fileOf(name), made.script);
      await writeFile(`${fileOf(name)}.map`, made.map);
      return made;
    });
    made.set(name, view);
  }
  return view;
}

const fileOf = (name: ViewName): string => resolve('coverage/views', `${name}.js`);
