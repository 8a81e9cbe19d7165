import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Serves on a free port of this machine. */
export async function startServer(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Ends the server and its connections. */
    close() {
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
      server.close();
    },
  };
}
