import type { Hono } from 'hono';
import { escapeHtml } from '../http/error-answer.ts';
import { type Doors, type Env, type Exchange, type Outcome, runExchange } from '../http/exchange.ts';
import { attachment } from '../http/file-answer.ts';
import { watchSilence } from '../http/read-bytes.ts';
import { MAX_FILE_BYTES } from '../http/read-request.ts';
import type { Reply } from '../http/reply.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { type Content, DRAWING_NAMES, type DrawingName, type UploadRecord } from '../state/records.ts';
import { isSignedHere, STORAGE_PATH } from './addresses.ts';
import { openContent } from './content.ts';

/** The object store: it knows nothing of API keys and speaks XML of its own. */
export function addStorageRoutes(app: Hono<Env>, doors: Doors): void {
  app.all(`${STORAGE_PATH}/*`, (context) => {
    const { pathname } = new URL(context.req.url);
    const { method } = context.req;
    return runExchange(context, doors, {
      name: `${method} storage`,
      path: pathname,
      run: (exchange) =>
        runStorage(doors.service, { exchange, method, path: pathname.slice(STORAGE_PATH.length) }),
    });
  });
}

class StorageRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function runStorage(
  service: Service,
  input: { exchange: Exchange; method: string; path: string },
): Promise<Outcome> {
  const { exchange, method, path } = input;
  try {
    if (exchange.incoming.headers.authorization !== undefined)
      throw new StorageRefusal(400, 'InvalidArgument', 'A signed address takes no Authorization header');
    const key = /^\/uploads\/([\w-]+)$/.exec(path)?.[1];
    if (method === 'PUT' && key !== undefined) return await put(service, exchange, key);
    if (method === 'GET' && path === '/files') return await get(service, exchange.url.searchParams);
    throw new StorageRefusal(405, 'MethodNotAllowed', `${method} is not allowed here`);
  } catch (error) {
    if (!(error instanceof StorageRefusal)) throw error;
    return { answer: xmlError(error) };
  }
}

function xmlError({ status, code, message }: StorageRefusal): Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

/** §4 step 2: every signed header is demanded, and an address takes one PUT only (§8). */
async function put(service: Service, exchange: Exchange, key: string): Promise<Outcome> {
  const { incoming } = exchange;
  const upload = service.state.uploads.get(key);
  if (!upload || exchange.url.searchParams.get('X-Amz-Signature') !== upload.signature)
    throw new StorageRefusal(403, 'SignatureDoesNotMatch', 'This address was not signed here');
  if (upload.expires_at <= service.clock.now())
    throw new StorageRefusal(403, 'AccessDenied', 'Request has expired');
  expectSignedHeaders(upload, incoming.headers);
  if (incoming.headers['transfer-encoding'] !== undefined)
    throw new StorageRefusal(
      501,
      'NotImplemented',
      'Transfer-Encoding is not supported: send Content-Length',
    );
  if (incoming.headers['content-length'] === undefined)
    throw new StorageRefusal(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header');
  if (upload.status !== 'open')
    throw new StorageRefusal(
      403,
      'AccessDenied',
      'This address was already used: it is valid for a single PUT',
    );
  if (Number(incoming.headers['content-length']) > MAX_FILE_BYTES)
    throw new StorageRefusal(400, 'EntityTooLarge', 'A file ends at 5 GiB');
  // Spent from here on, whether or not all bytes arrive.
  upload.status = 'receiving';
  const endWatch = watchSilence(incoming);
  try {
    upload.size = await service.files.receive(key, incoming);
  } catch (error) {
    if (error instanceof Refusal) throw new StorageRefusal(507, 'InsufficientStorage', error.message);
    throw new StorageRefusal(400, 'IncompleteBody', 'The connection ended before all bytes had come');
  } finally {
    endWatch();
  }
  upload.status = 'stored';
  const etag = { etag: `"${upload.signature.slice(0, 32)}"` };
  return {
    answer: {
      status: service.learned?.facts.upload?.stored ?? Number(service.profile.storedStatus),
      headers: etag,
      body: null,
    },
    effect: true,
  };
}

function expectSignedHeaders(upload: UploadRecord, headers: NodeJS.Dict<string | string[]>): void {
  for (const [name, value] of Object.entries(upload.headers)) {
    const sent = headers[name.toLowerCase()];
    if (sent === undefined)
      throw new StorageRefusal(403, 'AccessDenied', `The signed header ${name} is missing`);
    if (sent !== value)
      throw new StorageRefusal(403, 'SignatureDoesNotMatch', `The signed header ${name} has another value`);
  }
}

async function get(service: Service, query: URLSearchParams): Promise<Outcome> {
  if (!isSignedHere(service, query))
    throw new StorageRefusal(403, 'SignatureDoesNotMatch', 'This address was not signed here');
  if (Number(query.get('X-Amz-Expires')) <= service.clock.now())
    throw new StorageRefusal(403, 'AccessDenied', 'Request has expired');
  const key = query.get('key');
  if (key !== null && !service.files.has(key))
    throw new StorageRefusal(404, 'NoSuchKey', 'What was stored here is gone');
  const content: Content =
    key === null
      ? { kind: 'drawn', drawing: getDrawing(query), title: query.get('title') ?? '' }
      : { kind: 'file', key };
  const { size, read } = await openContent(service, content);
  return {
    answer: {
      status: 200,
      headers: {
        'content-type': query.get('type') ?? 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': attachment(query.get('name') ?? 'file'),
      },
      body: read(),
    },
  };
}

function getDrawing(query: URLSearchParams): DrawingName {
  return DRAWING_NAMES.find((name) => name === query.get('drawing')) ?? 'agreement';
}
