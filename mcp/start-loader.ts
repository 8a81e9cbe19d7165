/**
 * Loads the modules of the server's start from one file, with the code that V8 compiled at an earlier start, which takes a
 * fifth off the start. Node's compile cache is slower: it keeps a file of code for each module.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';
import { FLUSH_DELAY_MS, openCacheFolder } from './compile-cache.ts';

const filename = fileURLToPath(new URL('start-modules.js', import.meta.url));
const source = readFileSync(filename, 'utf8');
/** First line of the file: a hash of the others. */
const id = Buffer.from(source.slice(0, source.indexOf('\n')));
const cacheFolder = openCacheFolder(process.env);
const cacheFile = cacheFolder && join(cacheFolder, `start-${process.version}-${process.arch}.bin`);
const cachedData = cacheFile && readCompiled(cacheFile);
const script = new vm.Script(source, { filename, ...(cachedData ? { cachedData } : {}) });
if (cacheFile && (!cachedData || script.cachedDataRejected)) writeCompiledLater(cacheFile);

/** Loads a module by its path, such as `./chunk-7XKQ3M2P.js`. */
export const load: (path: string) => unknown = script.runInThisContext()(createRequire(import.meta.url), filename);

/** Compiled code of this file, if the cache holds it undamaged. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const data = bytes.subarray(id.length + 4);
    return id.equals(bytes.subarray(0, id.length)) && bytes.readUInt32LE(id.length) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes after the start or at the exit, whichever is first: then the functions that ran are compiled too. */
function writeCompiledLater(file: string): void {
  const write = () => {
    clearTimeout(timer);
    process.off('exit', write);
    const temporary = `${file}.${process.pid}`;
    try {
      const data = script.createCachedData();
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(crc32(data));
      writeFileSync(temporary, Buffer.concat([id, sum, data]), { mode: 0o600 });
      renameSync(temporary, file);
    } catch {
      rmSync(temporary, { force: true });
    }
  };
  const timer = setTimeout(write, FLUSH_DELAY_MS).unref();
  process.once('exit', write);
}
