import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { NotFoundError } from '../../src/errors.ts';
import type { RequestOptions, SearchResult } from '../../src/index.ts';
import type { OpenClient } from '../../src/open-client.ts';
import { idOf, type JsonObject } from '../../src/records/fields.ts';
import type { Account } from '../account/account.ts';
import type { ShutdownSignals } from '../call/shutdown-signals.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { toFullItem } from '../result/projection.ts';
import { getUnredactedFields } from '../result/redact-secrets.ts';
import { toCallToolResult } from '../result/to-call-tool-result.ts';
import { createProgressReporter } from '../tool/progress-reporter.ts';
import { getResourceNoun } from '../tool/tool.ts';
import { getResourceListToolName, type ResourceKind } from './resource-kinds.ts';

/** Links, rooms and agreements are looked up in their lists, because the API can't read one by id (§4). */
const MAX_SEARCHED_ITEMS = 1000;

interface ResourceRequest {
  readonly kind: ResourceKind;
  readonly uri: URL;
  readonly id: string;
  readonly account: Account;
  readonly mcp: ServerContext;
  readonly shutdown: ShutdownSignals | undefined;
}

export async function readResource(request: ResourceRequest): Promise<ReadResourceResult> {
  const { kind, uri, id, account, mcp, shutdown } = request;
  const noun = getResourceNoun(kind.group);
  const createNotFoundError = () =>
    new ResourceNotFoundError(
      uri.href,
      `No ${noun} with this ID was found. Look it up with ${getResourceListToolName(kind)}.`,
    );
  const progress = createProgressReporter(mcp);
  const { signal: callSignal } = mcp.mcpReq;
  const options = {
    signal: shutdown ? AbortSignal.any([callSignal, shutdown.readDeadline]) : callSignal,
    onWait: progress.wait,
  };
  try {
    const found = await readItem(await account.client(), { kind, id: decodeId(id), options });
    if (found.kind === 'not-found') throw createNotFoundError();
    if (found.kind === 'not-fully-searched')
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `No ${noun} with this id is among the first ${found.read}, and the list is longer: find it with ${getResourceListToolName(kind)}.`,
      );
    const result = { data: toFullItem(found.item, noun), unredactedFields: getUnredactedFields(noun) };
    const { structuredContent } = toCallToolResult(result, account.secrets);
    const text = JSON.stringify(structuredContent);
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof NotFoundError) throw createNotFoundError();
    const failure = describeFailure(error, { secrets: account.secrets });
    throw new ProtocolError(ProtocolErrorCode.InternalError, String(failure['message']), failure);
  } finally {
    progress.done();
  }
}

async function readItem(
  client: OpenClient,
  { kind: { group }, id, options }: { kind: ResourceKind; id: string; options: RequestOptions },
): Promise<SearchResult<{ item: JsonObject }>> {
  if (group === 'documents' || group === 'templates')
    return { kind: 'found', item: await client[group].get({ id }, options) };
  let read = 0;
  for await (const item of client[group].list({}, options)) {
    if (idOf(item, getResourceNoun(group)) === id) return { kind: 'found', item };
    read += 1;
    if (read >= MAX_SEARCHED_ITEMS) return { kind: 'not-fully-searched', reason: 'the list is longer', read };
  }
  return { kind: 'not-found' };
}

/** Returns the id unchanged if it can't be decoded. */
function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
