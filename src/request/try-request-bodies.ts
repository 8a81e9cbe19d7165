import { isBodyRejected } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from '../profile/active-profile.ts';
import type { PlaceholderValues } from '../profile/body-template.ts';
import { orderBodies } from '../profile/order-bodies.ts';

/**
 * Tries candidate bodies in turn while the service rejects them as invalid: a rejected body has not run.
 * @throws the first rejection if all are rejected (it is about the likeliest body); any other error at once.
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

/** Candidate bodies of an operation, and the values for a learned one. */
interface CandidateBodies<Body> {
  readonly operation: OperationName;
  readonly bodies: readonly Body[];
  readonly placeholderValues?: PlaceholderValues;
}

/**
 * Like {@link tryRequestBodies}, but with the learned body first. If the service accepts another one instead,
 * the contradiction is reported, and the profile's order is no longer used.
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
      actual: `rejected with status ${rejectedStatus}, and another body accepted`,
    });
  return result;
}
