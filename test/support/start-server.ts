import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface StartedServer {
  readonly origin: string;
  /** Ends the server and its connections. */
  close(): void;
}

/** Serves on a free port of this machine. */
export async function startServer(server: Server): Promise<StartedServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
      server.close();
    },
  };
}
