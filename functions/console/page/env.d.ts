/**
 * The credentials of the demo plant, as JSON. The bundler replaces this name (infra/console/bundle-page.ts). It is null in a deployed page,
 * so code that tests it is left out there. It has a value only on one machine with the demo. It is no object, because esbuild would make a
 * file of its own of one, for which first-reads.ts would wait.
 */
declare const demoCredentials: string | null;

/** The answers to the first requests, by their address, which first-reads.ts has sent. Undefined where it sent none. Times are those of the browser. */
declare var firstReads:
	| {
			readonly token: string;
			readonly sentAt: number;
			readonly answers: Map<string, Promise<{ readonly response: Response; readonly receivedAt: number } | null>>;
	  }
	| undefined;
