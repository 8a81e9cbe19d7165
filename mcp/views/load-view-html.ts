import type { ViewName } from './views.ts';

/** The views' pages, as the build made them. Read late: most hosts never ask. */
export async function loadViewHtml(name: ViewName): Promise<string> {
  const { pages } = await import('#view-pages');
  return pages[name];
}
