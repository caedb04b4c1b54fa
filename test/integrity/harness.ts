import { DomainError } from '#domain/errors.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { saveCorrection } from '#domain/use-cases/save-correction.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { createHandler as deleteVar } from '#functions/deleteVar/handler.ts';
import { createHandler as saveAlarm } from '#functions/saveAlarm/handler.ts';
import { createHandler as saveBombs } from '#functions/saveBombs/handler.ts';
import { createHandler as saveVariable } from '#functions/saveVariable/handler.ts';
import { boardDeleter, boardSaver } from '#http/board-handlers.ts';
import type { ApiResult } from '#http/event.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSpanReader } from '#test/support/fakes/fake-span-reader.ts';
import { noSamples } from '#test/support/fakes/fake-time-series.ts';
import type { Action, Fault, Ref } from './commands.ts';

/** A store under test, with its idempotency claims. */
export interface Backend {
	readonly store: SchemaStore;
	readonly idempotency: Idempotency;
}

/** Thrown by every store call after the client's process ended. */
class ProcessEnded extends Error {}

/** Wraps a backend for one request: other clients run between its calls, and `fault` happens at one of them. */
const faulty = ({ store, idempotency }: Backend, turn: () => Promise<void>, fault: Fault | undefined): Backend => {
	let calls = 0;
	let dead = false;
	const through = async <Result>(work: () => Promise<Result>, isCommit = false): Promise<Result> => {
		await turn();
		if (dead) throw new ProcessEnded();
		const call = calls;
		calls += 1;
		const faultNow = fault?.call === call ? fault.kind : undefined;
		if (faultNow === 'dies before') dead = true;
		if (dead) throw new ProcessEnded();
		const result = await work();
		await turn();
		if (faultNow === 'dies after') dead = true;
		if (dead) throw new ProcessEnded();
		if (faultNow === 'answer lost' && isCommit && result === 'committed')
			throw new DomainError('outcome_unknown', { cause: 'test' });
		return result;
	};
	return {
		store: {
			revision: (schema) => through(() => store.revision(schema)),
			packed: (schema, ids) => through(() => store.packed(schema, ids)),
			get: (schema, keys) => through(() => store.get(schema, keys)),
			list: (schema, kind) => through(() => store.list(schema, kind)),
			page: (schema, kind, page) => through(() => store.page(schema, kind, page)),
			snapshot: (schema, ids) => through(() => store.snapshot(schema, ids)),
			nextId: (schema) => through(() => store.nextId(schema)),
			commit: (schema, rows, record, events) => through(() => store.commit(schema, rows, record, events), true),
			schemaMetadata: (schema) => through(() => store.schemaMetadata(schema)),
			correctMetadata: (schema, correction) => through(() => store.correctMetadata(schema, correction)),
		},
		idempotency: {
			claim: (claim, fingerprint, now) => through(() => idempotency.claim(claim, fingerprint, now)),
			release: (claim) => through(() => idempotency.release(claim)),
		},
	};
};

/** The result of a request. `unknown`: its process died, or the response says that the result is not known. */
export type RequestOutcome =
	| { readonly kind: 'answered'; readonly data: Record<string, unknown> }
	| { readonly kind: 'refused'; readonly status: number }
	| { readonly kind: 'unknown' };

const outcomeOf = ({ statusCode = 0, body = '{}' }: ApiResult): RequestOutcome => {
	if (statusCode === 200) return { kind: 'answered', data: JSON.parse(body).data };
	// Only a dead process gives 500 here, and only a lost result gives this 503.
	if (statusCode === 500 || (statusCode === 503 && body.includes('not known'))) return { kind: 'unknown' };
	return { kind: 'refused', status: statusCode };
};

const sumOf = (keys: readonly string[]): object[] =>
	keys.flatMap((value, index) => [...(index === 0 ? [] : [{ value: '+', type: 'operator' }]), { value, type: 'variable' }]);

const refBody = ({ varId, bit }: Ref) => ({ varId, ...(bit === undefined ? {} : { bit }) });

const place = { x: 0, y: 1 } as const;

/** Draws a tank of every other reference, a value of the others, and a pipe of each from tank to tank. */
const drawingOf = (refs: readonly Ref[]) => {
	const keys = tankKeysOf(refs);
	const items = refs.map((ref, index) => ({
		...refBody(ref),
		...place,
		...(index % 2 === 0 ? { kind: 'tank', key: keys[index / 2], w: 0.1, h: 0.1 } : {}),
	}));
	const pipes = refs.map((ref, index) => ({
		...refBody(ref),
		from: [keys[Math.floor(index / 2)], 'right'],
		to: ['join', 'left'],
	}));
	return { items, shapes: [{ kind: 'join', key: 'join', ...place }], pipes };
};

/** Returns the keys of the tanks of a diagram. */
export const tankKeysOf = (refs: readonly Ref[]): readonly string[] =>
	refs.flatMap((_, index) => (index % 2 === 0 ? [`tank${index / 2}`] : []));

/** Returns the request of an action. The row that it stores contains the mark. */
const requestOf = (action: Exclude<Action, { do: 'poll' }>, mark: string): { route: string; id?: number; body?: unknown } => {
	switch (action.do) {
		case 'save variable': {
			const bits = action.bits?.map((bit, index) => ({ id: index, name: `bit ${bit}`, bit }));
			const body =
				bits === undefined ? makeBody({ id: action.id, unit: mark }) : makeBitsBody({ id: action.id, unit: mark, bits });
			return { route: 'POST /saveVariable', body };
		}
		case 'delete variable':
			return { route: 'POST /deleteVar/{id}', id: action.id };
		case 'save chart':
			return {
				route: 'POST /saveChart',
				body: { id: action.id, title: mark, series: action.refs.map(({ varId }) => ({ varId })) },
			};
		case 'save diagram':
			return {
				route: 'POST /saveDiagram',
				body: { id: action.id, title: mark, ...drawingOf(action.refs) },
			};
		case 'save alarm': {
			const rule = { condition: '>', threshold: 1, severity: 'info', message: 'm' };
			return { route: 'POST /saveAlarm', body: { id: action.id, name: mark, ...refBody(action.ref), ...rule } };
		}
		case 'save correction': {
			const { id, varId } = action;
			return { route: 'POST /saveCorrection', body: { id, varId, type: 'exclude', from: 1.7e12, to: 1.71e12, reason: mark } };
		}
		case 'save report': {
			const lines = action.refs.map((ref, index) => ({
				...refBody(ref),
				key: `l${index}`,
				name: 'n',
				unit: '',
				function: 'onTime',
			}));
			const all = { key: 'all', name: 'n', unit: '', function: 'formula', equation: sumOf(lines.map(({ key }) => key)) };
			return {
				route: 'POST /saveReport',
				body: { id: action.id, title: mark, lines: lines.length === 0 ? [] : [...lines, all] },
			};
		}
		case 'delete board':
			return { route: `POST /delete${action.kind}/{id}`, id: action.id };
		case 'save panel': {
			const pumps = action.refs.map((ref, id) => ({ id, name: 'n', type: 'pump', ...refBody(ref) }));
			return { route: 'POST /bombs', body: { title: mark, pumps, states: [] } };
		}
	}
};

const handlerOf = (action: Exclude<Action, { do: 'poll' }>, deps: Parameters<typeof saveBombs>[0]) => {
	switch (action.do) {
		case 'save variable':
			return saveVariable({ ...deps, timeSeries: noSamples, ...makeSpanReader() });
		case 'delete variable':
			return deleteVar(deps);
		case 'save chart':
			return boardSaver('chart')(deps);
		case 'save diagram':
			return boardSaver('diagram')(deps);
		case 'save alarm':
			return saveAlarm({ ...deps, alarms: { startEvaluation: async () => undefined }, timeSeries: { read: async () => [] } });
		case 'save correction':
			return boardSaver('correction', {
				save: (writing, { schema }, board, match, createRecord) => saveCorrection(writing, schema, board, match, createRecord),
			})(deps);
		case 'save report':
			return boardSaver('report', { save: saveReport })(deps);
		case 'delete board':
			return boardDeleter(action.kind)(deps);
		case 'save panel':
			return saveBombs(deps);
	}
};

/** The time of every request: after that of each correction, in epoch milliseconds. */
const now = 1_800_000_000_000;

/** The parameters of one request. */
export interface RequestParameters {
	readonly schema: string;
	readonly mark: string;
	readonly turn: () => Promise<void>;
	readonly fault?: Fault | undefined;
	/** The client's idempotency key. */
	readonly key?: string | undefined;
	/** Unique for each request. */
	readonly token: string;
}

/** Sends one request to the handler of its endpoint. */
export const send = async (
	backend: Backend,
	action: Exclude<Action, { do: 'poll' }>,
	{ schema, mark, turn, fault, key, token }: RequestParameters,
): Promise<RequestOutcome> => {
	const deps = {
		log: silentLog,
		now: () => now,
		newId: () => token,
		pause: turn,
		admit: async () => undefined,
		...faulty(backend, turn, fault),
	};
	const { route, id, body } = requestOf(action, mark);
	const version = action.do === 'save variable' ? action.version : undefined;
	const headers = {
		...(key === undefined ? {} : { 'idempotency-key': key }),
		...(version === undefined || action.do !== 'save variable' || action.id === 0 ? {} : { 'if-match': `"${version}"` }),
	};
	const parts = {
		headers,
		claims: { schema, tsdb: 'd', sub: '1' },
		...(id === undefined ? {} : { id }),
		...(body === undefined ? {} : { body }),
	};
	return outcomeOf(await handlerOf(action, deps)(makeEvent(route, parts)));
};

/** Creates the definition cache of a warm function. Other clients run between its store calls. */
export const pollerOf = (backend: Backend, turn: () => Promise<void>): DefinitionCache =>
	createDefinitionCache(faulty(backend, turn, undefined).store);
