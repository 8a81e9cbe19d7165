import { type OperationName, operations } from './operations/index.ts';
import { buildRequest } from './request/build-request.ts';
import { parseInput } from './request/parse-input.ts';

/** Checks an input as a call does, without sending it. @throws InputError */
export function checkInput(baseUrl: string, name: OperationName, input: unknown): void {
  const named = operations.find((operation) => operation.name === name);
  if (named) buildRequest(baseUrl, named, parseInput(named, input));
}
