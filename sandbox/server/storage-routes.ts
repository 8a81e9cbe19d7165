import type { Hono } from 'hono';
import { Rejection } from '../base/rejection.ts';
import { escapeHtml } from '../render/error-response.ts';
import { renderBytes } from '../render/file-response.ts';
import type { HttpResponse } from '../render/http-response.ts';
import type { Content, UploadRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { hasValidSignature, STORAGE_PATH } from '../storage/storage-urls.ts';
import { type Env, type RouteDependencies, type RouteResult, runRequest, type SandboxRequest } from './exchange.ts';
import { abortWhenIdle } from './read-bytes.ts';
import { MAX_FILE_BYTES } from './read-request.ts';

/** Adds the object store, which knows no API keys and returns XML errors. */
export function addStorageRoutes(app: Hono<Env>, dependencies: RouteDependencies): void {
  app.all(`${STORAGE_PATH}/*`, (context) => {
    const { pathname } = new URL(context.req.url);
    const { method } = context.req;
    return runRequest(context, dependencies, {
      name: `${method} storage`,
      path: pathname,
      run: (sandboxRequest) =>
        runStorage(dependencies.service, { sandboxRequest, method, path: pathname.slice(STORAGE_PATH.length) }),
    });
  });
}

class StorageError extends Error {
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
  input: { sandboxRequest: SandboxRequest; method: string; path: string },
): Promise<RouteResult> {
  const { sandboxRequest, method, path } = input;
  try {
    if (sandboxRequest.incoming.headers.authorization !== undefined)
      throw new StorageError(400, 'InvalidArgument', 'A signed URL must be used without an Authorization header');
    const key = /^\/uploads\/([\w-]+)$/.exec(path)?.[1];
    if (method === 'PUT' && key !== undefined) return await handlePut(service, sandboxRequest, key);
    if (method === 'GET' && path === '/files') return await handleGet(service, sandboxRequest.url.searchParams);
    throw new StorageError(405, 'MethodNotAllowed', `${method} is not allowed here`);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { response: renderXmlError(error) };
  }
}

function renderXmlError({ status, code, message }: StorageError): HttpResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

/** §4 step 2: all signed headers are required, and a URL accepts one PUT (§8). */
async function handlePut(service: Service, sandboxRequest: SandboxRequest, key: string): Promise<RouteResult> {
  const { incoming } = sandboxRequest;
  const upload = service.state.uploads.get(key);
  if (!upload || sandboxRequest.url.searchParams.get('X-Amz-Signature') !== upload.signature)
    throw new StorageError(403, 'SignatureDoesNotMatch', 'The signature of this URL is not valid');
  if (upload.expires_at <= service.clock.now()) throw new StorageError(403, 'AccessDenied', 'Request has expired');
  assertSignedHeaders(upload, incoming.headers);
  if (incoming.headers['transfer-encoding'] !== undefined)
    throw new StorageError(501, 'NotImplemented', 'Transfer-Encoding is not supported: send Content-Length');
  if (incoming.headers['content-length'] === undefined)
    throw new StorageError(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header');
  if (upload.status !== 'open')
    throw new StorageError(403, 'AccessDenied', 'This URL was already used: it is valid for a single PUT');
  if (Number(incoming.headers['content-length']) > MAX_FILE_BYTES)
    throw new StorageError(400, 'EntityTooLarge', 'The file is larger than 5 GiB');
  // Consumed from here on, even if bytes are missing.
  upload.status = 'receiving';
  abortWhenIdle(incoming);
  try {
    upload.size = await service.files.receive(key, incoming);
  } catch (error) {
    if (error instanceof Rejection) throw new StorageError(507, 'InsufficientStorage', error.message);
    throw new StorageError(400, 'IncompleteBody', 'The connection ended before all bytes arrived');
  }
  upload.status = 'stored';
  const etag = { etag: `"${upload.signature.slice(0, 32)}"` };
  return {
    response: {
      status: service.serviceProfile?.facts.upload?.stored ?? Number(service.profile.uploadStatus),
      headers: etag,
      body: null,
    },
    effect: true,
  };
}

function assertSignedHeaders(upload: UploadRecord, headers: NodeJS.Dict<string | string[]>): void {
  for (const [name, value] of Object.entries(upload.headers)) {
    const actual = headers[name.toLowerCase()];
    if (actual === undefined) throw new StorageError(403, 'AccessDenied', `The signed header ${name} is missing`);
    if (actual !== value)
      throw new StorageError(403, 'SignatureDoesNotMatch', `The signed header ${name} has a different value`);
  }
}

async function handleGet(service: Service, query: URLSearchParams): Promise<RouteResult> {
  if (!hasValidSignature(service, query))
    throw new StorageError(403, 'SignatureDoesNotMatch', 'The signature of this URL is not valid');
  if (Number(query.get('X-Amz-Expires')) <= service.clock.now())
    throw new StorageError(403, 'AccessDenied', 'Request has expired');
  const content = readContentQuery(query);
  if (content.kind === 'file' && !service.files.has(content.key))
    throw new StorageError(404, 'NoSuchKey', 'The stored file is missing');
  const type = query.get('type') ?? 'application/octet-stream';
  return { response: await renderBytes(service, { content, type, name: query.get('filename') ?? 'file' }) };
}

/** Reads the content of a signed URL. The signature proves that `createDownloadUrl` wrote its fields. */
function readContentQuery(query: URLSearchParams): Content {
  return Object.fromEntries(query) as unknown as Content;
}
