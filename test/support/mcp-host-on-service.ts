import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from './close-after.ts';
import { type Host, type HostOptions, openHost } from './mcp-host.ts';
import { type Loopback, openLoopback } from './mcp-loopback.ts';

/** A host, and the requests that its server sent to the service. */
export interface HostOnService extends Host, Pick<Loopback, 'requests' | 'url'> {}

/** Opens a host on a service that responds as the test defines. Both close with the test. */
export async function openHostOnService(
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

/** Opens a host on the sandbox, with a new key unless `env` has one. It closes with the test. */
export function openHostOnSandbox(sandbox: Pick<Sandbox, 'key' | 'url'>, options: HostOptions = {}): Promise<Host> {
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url, ...options.env };
  return closeAfterTest(openHost({ ...options, env }));
}
