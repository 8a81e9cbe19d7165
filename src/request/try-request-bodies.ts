import { isBodyRejected } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import type { PlaceholderValues } from '../profile/body-template.ts';
import { orderBodies } from '../profile/order-bodies.ts';

/**
 * Tries the bodies that a service may want, in turn, while it refuses them as invalid: a refused body has not run.
 * @throws the first refusal where all are refused (it speaks of the likeliest body), or any other error at once.
 */
export async function tryRequestBodies<Body, Result>(
  bodies: readonly Body[],
  send: (body: Body) => Promise<Result>,
): Promise<Result> {
  let firstRejection: unknown;
  for (const body of bodies) {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || !isBodyRejected(error)) throw error;
      firstRejection ??= error;
    }
  }
  throw firstRejection;
}

/** Bodies that may be assumed for an operation, and what goes into the one that was learned of it. */
export interface CandidateBodies<Body> {
  readonly operation: OperationName;
  readonly bodies: readonly Body[];
  readonly placeholderValues?: PlaceholderValues;
}

/**
 * As {@link tryRequestBodies}, the learned body first. Where another is taken in its place, that is told, and from then on the
 * order is as without a profile.
 * @throws as that does.
 */
export async function tryProfileBodyFirst<Body extends Readonly<Record<string, unknown>>, Result>(
  activeProfile: ActiveProfile | undefined,
  { operation, ...candidates }: CandidateBodies<Body>,
  send: (body: Readonly<Record<string, unknown>>) => Promise<Result>,
): Promise<Result> {
  const { bodies, fact } = orderBodies(activeProfile, operation, candidates);
  const [preferredBody] = bodies;
  let rejectedStatus: number | undefined;
  const result = await tryRequestBodies(bodies, async (body) => {
    try {
      return await send(body);
    } catch (error) {
      if (body === preferredBody && error instanceof ApiError) rejectedStatus = error.status;
      throw error;
    }
  });
  if (activeProfile && fact !== undefined && rejectedStatus !== undefined)
    activeProfile.contradict({
      operation,
      fact,
      expected: `a body of ${Object.keys(preferredBody ?? {}).join(', ') || 'no fields'}`,
      actual: `refused with ${rejectedStatus}, and another taken`,
    });
  return result;
}
