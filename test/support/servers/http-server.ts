import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Starts an HTTP server for a test on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<{ url: string; server: Server; close: () => void }> {
	const server = createServer((request, response) => {
		// A client corrects its clock by this header. Node takes the machine's time, whatever the time of the tests is.
		response.setHeader('Date', new Date().toUTCString());
		listener(request, response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = address !== null && typeof address === 'object' ? address.port : 0;
	const close = (): void => {
		server.closeAllConnections();
		server.close();
	};
	return { url: `http://127.0.0.1:${port}`, server, close };
}
