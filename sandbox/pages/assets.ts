import type { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Env } from '../server/exchange.ts';
import { runConsole } from './console/console-script.ts';
import { runForms } from './layout/forms-script.ts';
import { STYLESHEET } from './layout/stylesheet.ts';
import { createConnection } from './reader/connection-script.ts';
import { addPdfjs, PDFJS_PATH } from './reader/pdfjs-files.ts';
import { createPreviews, type Previews } from './reader/previews-script.ts';
import { runReader } from './reader/reader-script.ts';
import { createSheetRenderer } from './reader/sheets-script.ts';
import { runSigning } from './reader/signing-script.ts';

/** Returns a function's source as a script. The function must not reference anything outside itself. */
const asScript = (run: () => void) => `(${run.toString()})();\n`;

/** Like `asScript`, with pdf.js. The import is text because tools that run TypeScript may rewrite imports in code. */
const withPreviews = (run: (previews: Previews) => void) =>
  `const load = () => import('${PDFJS_PATH}legacy/build/pdf.min.mjs');
const connection = (${createConnection.toString()})();
const base = new URL('${PDFJS_PATH}', location.href).href;
const sheets = (${createSheetRenderer.toString()})({ load, base, connection });
(${run.toString()})((${createPreviews.toString()})(sheets, connection));\n`;

export function addAssets(app: Hono<Env>): void {
  app.use('/assets/*', compress());
  const files = {
    'pages.css': { type: 'text/css; charset=utf-8', text: () => STYLESHEET },
    'forms.js': { type: 'text/javascript; charset=utf-8', text: () => asScript(runForms) },
    'reader.js': { type: 'text/javascript; charset=utf-8', text: () => withPreviews(runReader) },
    'signing.js': { type: 'text/javascript; charset=utf-8', text: () => withPreviews(runSigning) },
    'console.js': { type: 'text/javascript; charset=utf-8', text: () => asScript(runConsole) },
  };
  for (const [name, { type, text }] of Object.entries(files)) {
    app.get(`/assets/${name}`, (context) =>
      context.body(text(), 200, {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      }),
    );
  }
  addPdfjs(app);
}
