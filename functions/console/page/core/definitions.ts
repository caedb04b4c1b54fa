import { batch, effect, type Signal, signal, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Failure, type Result, resultOf, type Schemas } from './api.ts';
import { addPollTask } from './poll.ts';
import { beginnings, isSignedIn, onTenantChange, sessionCheck } from './session.ts';

/** A variable as it is stored. */
export type Variable = Schemas['Variable'];

export type Chart = Schemas['Chart'];

export type Diagram = Schemas['Diagram'];

export type StoredReport = Schemas['Report'];

export type Panel = Schemas['Panel'];

/** What is stored of one kind. */
export interface Definitions<Rows> {
	/** The rows; undefined until they were read. They stay while they are read again. */
	readonly rows: Signal<Rows | undefined>;
	/** Why the last reading failed; null when it succeeded. */
	readonly failure: Signal<Failure | null>;
	/** Reads them anew. */
	load(): Promise<void>;
}

/** The largest page of a listing. */
const pageSize = 1000;

/** The variables by id, in ascending order. */
export const variables = definitions<ReadonlyMap<number, Variable>>(async () => {
	const rows: Variable[] = [];
	for (let after: number | null = 0; after !== null; ) {
		const page: Result<Schemas['VariableListing']> = await resultOf(
			api.GET('/getVarsTsdb', { params: { query: { limit: pageSize, after } } }),
		);
		if (!page.ok) return page;
		rows.push(...page.data.data);
		after = page.data.next ?? null;
	}
	return { ok: true, data: new Map(rows.map((row) => [row.id, row])), etag: null };
});

/** The charts in ascending order of ids. */
export const charts = definitions<readonly Chart[]>(async () => rowsOf(await resultOf(api.GET('/getCharts'))));

/** The diagrams in ascending order of ids. */
export const diagrams = definitions<readonly Diagram[]>(async () => rowsOf(await resultOf(api.GET('/getDiagrams'))));

/** The reports in ascending order of ids. */
export const reports = definitions<readonly StoredReport[]>(async () => rowsOf(await resultOf(api.GET('/getReports'))));

/** The panel; null before its first save. What it shows now is not kept: screens read it with everything else. */
export const panel = definitions<Panel | null>(async () => {
	const result = await resultOf(api.GET('/bombs'));
	if (!result.ok) return result.failure.status === 404 ? { ok: true, data: null, etag: null } : result;
	const { title, version, pumps, states } = result.data.data;
	return {
		...result,
		data: {
			title,
			version,
			pumps: pumps.map(({ id, name, varId, type, bit }) => ({ id, name, varId, type, bit: bit ?? null })),
			states: states.map(({ id, name, varId, type, bit }) => ({ id, name, varId, type, bit: bit ?? null })),
		},
	};
});

const kinds = { variables, charts, diagrams, reports, panel };

onTenantChange(() => {
	for (const { rows, failure } of Object.values(kinds)) {
		rows.value = undefined;
		failure.value = null;
	}
});

/** Whether the variables are being read since the sign-in. */
let isBeginning = (): boolean => false;

/**
 * Reads the variables whenever somebody signs in, before a screen is drawn: each of them needs those. What failed is read again with
 * the next poll. Returns a function that stops it.
 */
export function startDefinitions(): () => void {
	const stopRetries = addPollTask('values', async () => {
		await Promise.all(Object.values(kinds).map((each) => (each.failure.value === null ? undefined : each.load())));
		// Their screens say what is missing. The values are none the older for it.
		return null;
	});
	const stopReading = effect(() => {
		if (!isSignedIn.value) return;
		const isSameSession = sessionCheck();
		let isRead = false;
		isBeginning = () => !isRead && isSameSession();
		void untracked(() => variables.load()).then(() => {
			isRead = true;
		});
	});
	return () => {
		stopRetries();
		stopReading();
	};
}

/** Reads definitions anew when the component appears. */
export function useDefinitions(...names: readonly (keyof typeof kinds)[]): void {
	const key = names.join();
	// Who signs in again may have missed what was read meanwhile.
	const beginning = beginnings.value;
	useEffect(() => {
		for (const name of names) if (name !== 'variables' || !isBeginning()) void kinds[name].load();
	}, [key, beginning]);
}

function definitions<Rows>(read: () => Promise<Result<Rows>>): Definitions<Rows> {
	const rows = signal<Rows | undefined>(undefined);
	const failure = signal<Failure | null>(null);
	let newest = 0;
	return {
		rows,
		failure,
		load: async () => {
			newest += 1;
			const started = newest;
			const isSameSession = sessionCheck();
			const result = await read();
			// Of two readings at once the one that began later counts.
			if (started !== newest || !isSameSession()) return;
			batch(() => {
				failure.value = result.ok ? null : result.failure;
				if (result.ok) rows.value = result.data;
			});
		},
	};
}

function rowsOf<Row>(result: Result<{ readonly data: readonly Row[] }>): Result<readonly Row[]> {
	return result.ok ? { ...result, data: result.data.data } : result;
}
