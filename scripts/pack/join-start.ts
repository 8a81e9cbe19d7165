import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Metafile, transformSync } from 'esbuild';
import { DEFINE_REQUIRE } from './bundle.ts';

/** Modules that every start over stdio loads, by the end of their path. */
const START_MODULES = [
  'mcp/server/start-server.js',
  'mcp/server/stdio-transport.js',
  '@modelcontextprotocol/server/dist/stdio.mjs',
  '@modelcontextprotocol/server/dist/ext/skills/index.mjs',
];

const DEFINE_URL = 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;';
const LOADED_CHUNK = /\brequire\("(\.\/[\w.-]+\.js)"\)/g;

/**
 * Converts a bundle of the server to CommonJS and joins the chunks of its start into one file, which `start-loader.ts` runs:
 * linking 50 ES modules, and compiling their functions again, takes a fifth of the start.
 */
export function joinStart(folder: string, { outputs }: Metafile): void {
  const imports = new Map(
    Object.entries(outputs).map(([path, output]) => [
      basename(path),
      output.imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((imported) => basename(imported.path)),
    ]),
  );
  const collect = (roots: readonly string[], into = new Set<string>()) => {
    for (const name of roots) if (!into.has(name)) collect(imports.get(name) ?? [], into.add(name));
    return into;
  };
  const roots = START_MODULES.map((module) => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(module));
    if (!found) throw new Error(`The bundle has no chunk of ${module}, which the start loads.`);
    return basename(found[0]);
  });
  const loadedBefore = collect(['main.js', 'start.js']);
  const joined = new Map<string, string>();
  for (const name of collect(roots)) if (!loadedBefore.has(name)) joined.set(`./${name}`, '');
  for (const name of imports.keys()) {
    const path = join(folder, name);
    const text = toCommonJs(readFileSync(path, 'utf8'));
    if (joined.has(`./${name}`)) {
      joined.set(`./${name}`, text);
      rmSync(path);
    } else {
      const loadJoined = (call: string, chunk: string) =>
        joined.has(chunk) ? `require("./start.js").load("${chunk}")` : call;
      writeFileSync(path, text.replace(LOADED_CHUNK, loadJoined));
    }
  }
  const modules = [...joined].map(([name, text]) => `"${name}"(module,exports,require,__filename){${text}}`);
  const text = `(function(loadOther,__filename){const modules={${modules.join(',\n')}},loaded={};
return function load(name){if(!Object.hasOwn(modules,name))return loadOther(name);
if(loaded[name])return loaded[name].exports;const module=loaded[name]={exports:{}};
modules[name](module,module.exports,load,__filename);return module.exports}})`;
  const hash = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(folder, 'start-modules.js'), `//${hash}\n${text}`);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

function toCommonJs(text: string): string {
  const module = text.replace(DEFINE_REQUIRE, '');
  const { code } = transformSync(module, {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify: true,
    legalComments: 'none',
    // Turns `import()` into `require`, since a script from the code cache can't import.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: module.includes('import.meta.url') ? `"use strict";${DEFINE_URL}` : '"use strict";',
  });
  return code;
}
