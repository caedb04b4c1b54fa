/**
 * The credentials of the demo plant, as JSON: esbuild makes a file of its own of an object, which first-reads.ts would wait for. The bundler replaces this name (infra/console/bundle-page.ts). It is null in a deployed page, so
 * code that tests it is left out there. It has a value only on one machine with the demo.
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
