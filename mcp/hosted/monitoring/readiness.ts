import type { StateProvider } from '../../state/shared-state.ts';

export type Readiness = ReturnType<typeof createReadiness>;

/** Health and readiness probes. */
export function createReadiness(options: { state: StateProvider; replica: string }) {
  let draining = false;

  async function createReadyResponse(isPublic: boolean): Promise<Response> {
    const { backend, up, hasConnected, replicas, holdMs } = (await options.state()).getStatus();
    // Stays ready while Redis is down, because reads still work on every replica.
    const ready = hasConnected && !draining;
    return Response.json(
      {
        ready,
        ...(isPublic ? {} : { replica: options.replica }),
        ...(draining ? { draining } : {}),
        state: { backend, up, replicas, hold_s: Math.ceil(holdMs / 1000) },
        ...(up ? {} : { degraded: 'The shared state is unavailable: reads work, writes are refused.' }),
      },
      { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  }

  return {
    /** Responds to `/healthz` and `/readyz`; undefined for every other path. Strangers don't see the replica's name. */
    async respond(path: string, { isPublic = false } = {}): Promise<Response | undefined> {
      if (path === '/healthz') return Response.json({ alive: true }, { headers: { 'cache-control': 'no-store' } });
      return path === '/readyz' ? createReadyResponse(isPublic) : undefined;
    },
    /** Makes `/readyz` fail, while requests are still served. */
    beginDrain(): void {
      draining = true;
    },
  };
}
