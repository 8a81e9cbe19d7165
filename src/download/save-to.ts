import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';
import { endingOfType, typeOfName, typeOfStart, UNKNOWN_TYPE } from '../media-type.ts';
import type { TransportResponse } from '../wire/transport.ts';
import { checkKind } from './check-kind.ts';
import { describeHead } from './download-answer.ts';
import type { FetchOptions } from './fetch-stored.ts';
import { alreadyThere, openPart } from './part-file.ts';
import { type DownloadProgress, receive, WHOLE } from './receive.ts';
import { safeName } from './safe-name.ts';
import { fetchFrom, type Source } from './source.ts';

export interface SaveOptions extends FetchOptions {
  /** Whether a file that stands there is replaced; refused unless told. */
  readonly overwrite?: boolean | undefined;
  /** Whether a connection that breaks off is taken up where it stopped; yes unless told. */
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface SavedFile {
  /** Where it stands now. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly type: string;
}

/** Writes a file beside its place, and moves it there when it is whole and of the right kind. */
export async function saveTo(source: Source, path: string | URL, options: SaveOptions): Promise<SavedFile> {
  const place = await resolveTarget(path);
  const { overwrite = false } = options;
  if (place.name !== undefined && !overwrite) await refuseTaken(join(place.folder, place.name));
  const stop = new AbortController();
  // Whatever ends this, the connection is given back at once.
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  try {
    const opened = await fetchFrom(source, { ...options, signal }, { headers: WHOLE });
    const { name: given = getFileName(opened) } = place;
    if (!overwrite && typeOfName(given) !== undefined) await refuseTaken(join(place.folder, given));
    let startType = UNKNOWN_TYPE;
    const check = (response: TransportResponse, start: Uint8Array) => {
      startType = typeOfStart(start);
      checkKind({
        operation: source.operation,
        status: response.status,
        names: [place.name ?? describeHead(response).name, source.name],
        type: source.url === undefined ? undefined : source.type,
        givenType: describeHead(response).type,
        start,
      });
    };
    const part = await openPart(place.folder);
    try {
      const { sizeBytes, response } = await receive(opened, { part, check }, { ...options, signal });
      signal.throwIfAborted();
      const told = describeHead(response).type;
      const type = told === UNKNOWN_TYPE ? startType : told;
      const name = place.name ?? withEnding(given, type);
      const target = join(place.folder, name);
      await part.place(target, overwrite);
      return { path: target, name, sizeBytes, type };
    } finally {
      await part.drop();
    }
  } finally {
    stop.abort();
  }
}

/** @throws InputError where there is no folder to write into. */
async function resolveTarget(path: string | URL): Promise<{ folder: string; name?: string }> {
  const given = pathIn(path);
  const whole = resolve(given);
  const found = await stat(whole).catch(() => undefined);
  if (found?.isDirectory()) return { folder: whole };
  const folder = /[\\/]$/.test(given) ? whole : dirname(whole);
  const parent = await stat(folder).catch(() => undefined);
  if (!parent?.isDirectory()) throw new InputError(`There is no folder ${folder}; make it first.`);
  if (found && !found.isFile()) throw new InputError(`${whole} is no regular file; choose another path.`);
  return { folder, name: basename(whole) };
}

function pathIn(path: string | URL): string {
  try {
    const given = path instanceof URL ? fileURLToPath(path) : path;
    if (typeof given === 'string' && given !== '' && !given.includes('\0')) return given;
  } catch {
    // An address of another kind.
  }
  throw new InputError('saveTo takes the path of a file or folder, or its file: address.');
}

async function refuseTaken(target: string): Promise<void> {
  // Not followed: a link that leads nowhere is taken too.
  const found = await lstat(target).catch(() => undefined);
  if (found) throw alreadyThere(target);
}

/** The file's own name, with the ending of its type where it has none. */
function getFileName({ source, response }: { source: Source; response: TransportResponse }): string {
  const head = describeHead(response);
  const name = head.name ?? safeName(source.name) ?? 'document';
  return withEnding(withEnding(name, source.type), head.type);
}

function withEnding(name: string, type: string | undefined): string {
  const ending = type === undefined ? undefined : endingOfType(type);
  return typeOfName(name) !== undefined || ending === undefined
    ? name
    : (safeName(`${name}${ending}`) ?? name);
}
