/** The port of who runs the server: a crowd there takes nothing from the others. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startMetricsServer } from '../../../../mcp/hosted/monitoring/metrics-server.ts';
import type { Metrics } from '../../../../mcp/hosted/monitoring/prometheus-metrics.ts';
import type { Readiness } from '../../../../mcp/hosted/monitoring/readiness.ts';
import { createStub } from '../../../support/create-stub.ts';

const PLACES = 64;

test('one connection too many is hung up on, and the end of the port waits for none', async () => {
  let heard = 0;
  const never = Promise.withResolvers<Response>();
  const answer = () => {
    heard += 1;
    return never.promise;
  };
  const readiness = createStub<Readiness>({ respond: answer });
  const metrics = createStub<Metrics>({});
  const port = await startMetricsServer({ host: '127.0.0.1', port: 0, metrics, readiness });
  const ask = () => {
    const socket = connect(Number(new URL(port.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
    return once(socket, 'close');
  };
  const held = Array.from({ length: PLACES }, ask);
  await expect.poll(() => heard).toBe(PLACES);
  await ask();
  expect(heard).toBe(PLACES);
  await port.close();
  await Promise.all(held);
  never.resolve(new Response(null));
});
