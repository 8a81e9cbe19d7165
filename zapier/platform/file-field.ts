import type { ZObject } from 'zapier-platform-core';
import { fetchAddress, InputError, type UploadSource } from './core.ts';
import { createZapTransport } from './transport.ts';

/** The contents of a file field, ready to be streamed on. */
export interface OpenedFile {
  readonly source: UploadSource;
  readonly name: string;
  readonly type: string | undefined;
}

/** The platform gives a file as an address of its own; a text that is none is the file's contents. The key stays here. */
export async function openFile(z: ZObject, file: string): Promise<OpenedFile> {
  if (!file) throw new InputError('Pick a file from an earlier step.');
  if (!/^https?:\/\/\S+$/i.test(file.trim()))
    return { source: Buffer.from(file), name: 'document.txt', type: 'text/plain' };
  const address = file.trim();
  const body = await fetchAddress(createZapTransport(z), address);
  return { source: body.bytes, name: body.name ?? nameOfAddress(address), type: typeOf(body.type) };
}

function nameOfAddress(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'document';
  } catch {
    return last || 'document';
  }
}

/** Storage that does not know a file's type says so; the name then tells more. */
function typeOf(type: string): string | undefined {
  const [plain = ''] = type.split(';');
  return plain === 'application/octet-stream' || plain === 'binary/octet-stream' ? undefined : plain;
}
