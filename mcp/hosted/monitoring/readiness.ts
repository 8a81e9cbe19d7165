import type { StateProvider } from '../../state/shared-state.ts';

/** Whether a balancer should send people here, and whether the process lives at all. */
export interface Readiness {
  /** The answer at `/healthz` or `/readyz`; undefined for every other path. */
  respond(path: string): Promise<Response | undefined>;
  /** From now on `/readyz` says no, while calls are still answered. */
  beginDrain(): void;
  isDraining(): boolean;
}

export function createReadiness(options: { state: StateProvider; replica: string }): Readiness {
  let draining = false;

  async function createReadyResponse(): Promise<Response> {
    const { backend, up, hasConnected, replicas, holdMs } = (await options.state()).getStatus();
    // While Redis is away this replica still answers what reads: if all said no, nobody would.
    const ready = hasConnected && !draining;
    return Response.json(
      {
        ready,
        replica: options.replica,
        ...(draining ? { draining } : {}),
        state: { backend, up, replicas, hold_s: Math.ceil(holdMs / 1000) },
        ...(up
          ? {}
          : { degraded: 'What replicas share is away: reading works, what changes something is refused.' }),
      },
      { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  }

  return {
    async respond(path) {
      if (path === '/healthz')
        return Response.json({ alive: true }, { headers: { 'cache-control': 'no-store' } });
      return path === '/readyz' ? createReadyResponse() : undefined;
    },
    beginDrain() {
      draining = true;
    },
    isDraining: () => draining,
  };
}
