import { monitorEventLoopDelay } from 'node:perf_hooks';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { messageOf } from '#domain/errors.ts';
import type { MountedApp } from './gateway.ts';
import { jsonResponse } from './http.ts';

/** The paths for those who watch the service. */
export const metricsPath = '/metrics';
export const readyPath = '/ready';

const readMethods = ['GET', 'HEAD'];

/** Who may read the metrics. */
export interface MetricsAccess {
	/** Whether everybody may. */
	readonly isPublic: boolean;
	/** The bearer token of those who may; undefined: there is none. */
	readonly token: string | undefined;
}

/** Creates `GET /metrics`, with HEAD, which is not there for anybody when it is neither public nor has a token. */
export function createMetricsApp(
	read: () => Promise<{ readonly text: string; readonly type: string }>,
	access: MetricsAccess,
): MountedApp {
	const { isPublic, token } = access;
	return {
		path: metricsPath,
		respond: async ({ method, path, headers }) => {
			if (!readMethods.includes(method) || path !== metricsPath || (!isPublic && token === undefined))
				return jsonResponse(404, { message: 'Not Found' });
			if (!isPublic && !constantTimeEqual(headers.authorization ?? '', `Bearer ${token}`))
				return jsonResponse(401, { message: 'Unauthorized' }, { 'www-authenticate': 'Bearer' });
			const { text, type } = await read();
			return { status: 200, headers: { 'content-type': type }, body: text };
		},
	};
}

/** Checks by their name. Each rejects when the service cannot work. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** For how long an answer is repeated, in milliseconds: everybody may ask, and a check writes to the disk. */
const repeatedMs = 1000;

/** Creates `GET /ready`, with HEAD: 200 when every check passes, otherwise 503 with the failed ones. `report` gets their reasons. */
export function createReadyApp(
	checks: ReadinessChecks,
	report: (check: string, reason: string) => void,
	now: () => number,
): MountedApp {
	const run = async (): Promise<readonly string[]> => {
		const entries = Object.entries(checks);
		const outcomes = await Promise.allSettled(entries.map(([, check]) => check()));
		return entries.flatMap(([name], index) => {
			const outcome = outcomes[index];
			if (outcome?.status !== 'rejected') return [];
			report(name, messageOf(outcome.reason));
			return [name];
		});
	};
	let newest: { readonly at: number; readonly failed: Promise<readonly string[]> } | null = null;
	return {
		path: readyPath,
		respond: async ({ method, path }) => {
			if (!readMethods.includes(method) || path !== readyPath) return jsonResponse(404, { message: 'Not Found' });
			if (newest === null || now() - newest.at >= repeatedMs) newest = { at: now(), failed: run() };
			const failed = await newest.failed;
			const body = { status: failed.length === 0 ? 'ready' : 'not ready', failed };
			return jsonResponse(failed.length === 0 ? 200 : 503, body, { 'cache-control': 'no-store' });
		},
	};
}

/** Creates the check that nothing has kept the event loop busy for `limitMs` since the check before. */
export function createLagCheck(limitMs: number): () => Promise<void> {
	const delays = monitorEventLoopDelay();
	return async () => {
		// The first check begins to measure.
		delays.enable();
		const lagMs = delays.max / 1_000_000;
		delays.reset();
		if (lagMs > limitMs) throw new Error(`The event loop was busy for ${Math.round(lagMs)} ms.`);
	};
}
