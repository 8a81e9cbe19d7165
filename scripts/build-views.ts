/** Bundles each view of `mcp/views` into one self-contained HTML file, and all of them into one module. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { style as sharedStyle } from '../mcp/views/kit/style.ts';
import { type ViewName, views } from '../mcp/views/views.ts';
import { pureAnnotations } from './pure-annotations.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Small, because hosts fetch a view each time they show it. */
const MAX_VIEW_BYTES = 25_000;

/** Writes `built.js` into the folder. @throws Error if a view exceeds the limit */
export async function buildViews(folder: string): Promise<void> {
  const pages: Record<string, string> = {};
  for (const { name } of views) {
    const { page } = await buildView(name, { minify: true });
    if (Buffer.byteLength(page) > MAX_VIEW_BYTES)
      throw new Error(`The view ${name} has ${Buffer.byteLength(page)} bytes; the limit is ${MAX_VIEW_BYTES}.`);
    pages[name] = page;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/built.js`, `export const pages = ${JSON.stringify(pages)};\n`);
}

/** HTML page, script and source map of one view. */
export async function buildView(
  name: ViewName,
  { minify }: { minify: boolean },
): Promise<{ page: string; script: string; map: string }> {
  const { style } = (await import(`../mcp/views/${name}/style.ts`)) as { style: string };
  const { outputFiles } = await build({
    // By default esbuild uses the folder where the process was started.
    absWorkingDir: root,
    entryPoints: [`mcp/views/${name}/main.ts`],
    bundle: true,
    minify,
    write: false,
    outdir: 'coverage/views',
    sourcemap: 'external',
    format: 'iife',
    target: 'es2022',
    plugins: [pureAnnotations],
    legalComments: 'none',
    logLevel: 'warning',
  });
  const [map = '', script = ''] = outputFiles.map(({ text }) => text.trim());
  const title = views.find((view) => view.name === name)?.title ?? name;
  return { page: renderPage({ title, style: (sharedStyle + style).replaceAll('\n', ''), script }), script, map };
}

/** Content security policy: only the inlined script and style, whatever the host allows. */
function renderPage({ title, style, script }: { title: string; style: string; script: string }): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:`;
  if (/<\/(script|style)/i.test(script + style))
    throw new Error('The script or style of a view contains its own closing tag.');
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title><style>${style}</style>`,
  ].join('');
  return `<!doctype html><html lang="en"><head>${head}</head><body><script>${script}</script></body></html>`;
}
