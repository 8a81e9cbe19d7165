import { ConflictError, ValidationError } from '../platform/core.ts';

/** Whether a refused send may be one of what was sent before: services answer that by 409, or as they answer bad input (§7). */
export function maySayItIsSent(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof ValidationError;
}
