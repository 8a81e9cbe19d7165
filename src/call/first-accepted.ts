import { isBodyRefused } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { OperationName } from '../operations/index.ts';
import { orderBodies } from '../profile/bodies.ts';
import type { ActiveProfile } from '../profile/learned.ts';
import type { Filling } from '../profile/template.ts';

/**
 * Tries the bodies that a service may want, in turn, while it refuses them as invalid: a refused body has not run.
 * @throws the first refusal where all are refused (it speaks of the likeliest body), or any other error at once.
 */
export async function firstAccepted<Body, Result>(
  bodies: readonly Body[],
  send: (body: Body) => Promise<Result>,
): Promise<Result> {
  let firstRejection: unknown;
  for (const body of bodies) {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || !isBodyRefused(error)) throw error;
      firstRejection ??= error;
    }
  }
  throw firstRejection;
}

/** Bodies that may be assumed for an operation, and what goes into the one that was learned of it. */
export interface AssumedBodies<Body> {
  readonly operation: OperationName;
  readonly bodies: readonly Body[];
  readonly filling?: Filling;
}

/**
 * As {@link firstAccepted}, the learned body first. Where another is taken in its place, that is told, and from then on the
 * order is as without a profile.
 * @throws as that does.
 */
export async function learnedFirst<Body extends Readonly<Record<string, unknown>>, Result>(
  learned: ActiveProfile | undefined,
  { operation, ...assumed }: AssumedBodies<Body>,
  send: (body: Readonly<Record<string, unknown>>) => Promise<Result>,
): Promise<Result> {
  const { bodies, fact } = orderBodies(learned, operation, assumed);
  const [first] = bodies;
  let status: number | undefined;
  const result = await firstAccepted(bodies, async (body) => {
    try {
      return await send(body);
    } catch (error) {
      if (body === first && error instanceof ApiError) status = error.status;
      throw error;
    }
  });
  if (learned && fact !== undefined && status !== undefined)
    learned.contradict({
      operation,
      fact,
      learned: `a body of ${Object.keys(first ?? {}).join(', ') || 'no fields'}`,
      came: `refused with ${status}, and another taken`,
    });
  return result;
}
