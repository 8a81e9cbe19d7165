import { isBodyRefused } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';

/**
 * Tries the bodies that a service may want, in turn, while it refuses them as invalid: a refused body has not run.
 * @throws the first refusal where all are refused (it speaks of the likeliest body), or any other error at once.
 */
export async function firstAccepted<Body, Result>(
  bodies: readonly Body[],
  send: (body: Body) => Promise<Result>,
): Promise<Result> {
  let refusal: unknown;
  for (const body of bodies) {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || !isBodyRefused(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
