import { onTestFinished } from 'vitest';
import { type Host, type HostOptions, openHost } from './mcp-host.ts';
import { type Loopback, openLoopback } from './mcp-loopback.ts';

/** A host, and what its server asked of the service. */
export interface HostOnService extends Host, Pick<Loopback, 'requests' | 'url'> {}

/** A host on a service that answers whatever a test wants it to. Both end with the test. */
export async function openOn(
  answer: Parameters<typeof openLoopback>[0],
  options: HostOptions & {
    readonly key?: string;
    /** Writes a profile of the service at this address, and returns its path. */
    readonly profile?: (url: string) => string;
  } = {},
): Promise<HostOnService> {
  const { key = 'key_of_the_test', profile, ...hostOptions } = options;
  const service = await openLoopback(answer);
  const env = {
    DOCSHARE_API_KEY: key,
    DOCSHARE_BASE_URL: service.url,
    ...(profile && { DOCSHARE_PROFILE: profile(service.url) }),
    ...hostOptions.env,
  };
  const host = await openHost({ ...hostOptions, env });
  onTestFinished(async () => {
    await host.close();
    await service.close();
  });
  return { ...host, requests: service.requests, url: service.url };
}
