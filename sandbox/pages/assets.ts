import type { Hono } from 'hono';
import type { Env } from '../http/exchange.ts';
import { runConsole } from './console/console-script.ts';
import { runReader } from './reader-script.ts';
import { STYLESHEET } from './stylesheet.ts';

/** A function's own source as a script. It reaches a browser alone, so it uses nothing from outside itself. */
const asScript = (run: () => void) => `(${run.toString()})();\n`;

/** The style and the scripts of the pages. */
export function addAssets(app: Hono<Env>): void {
  const files = {
    'pages.css': { type: 'text/css; charset=utf-8', text: () => STYLESHEET },
    'reader.js': { type: 'text/javascript; charset=utf-8', text: () => asScript(runReader) },
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
}
