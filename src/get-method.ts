import type { Methods } from './methods.ts';
import type { OperationName } from './operations/index.ts';
import type { ListOptions } from './pagination/list-promise.ts';
import type { RequestOptions } from './request/client-context.ts';

/** Any method of the client, for callers that choose the operation at runtime. */
export type AnyMethod = { call(input?: object, options?: RequestOptions & ListOptions): Promise<unknown> }['call'];

export function getMethod(client: Pick<Methods, keyof Methods>, name: OperationName): AnyMethod {
  const [group, key] = name.split('.') as [keyof Methods, string];
  const methods: Readonly<Record<string, AnyMethod>> = client[group];
  const method = methods[key];
  if (!method) throw new Error(`No operation ${name}`);
  return method;
}
