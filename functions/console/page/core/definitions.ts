import { batch, effect, type Signal, signal, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Failure, type Result, resultOf, type Schemas } from './api.ts';
import { currentUptime } from './clock.ts';
import { addPollTask } from './poll.ts';
import { createReadCheck } from './read-check.ts';
import { route } from './route.ts';
import { beginnings, isSignedIn, onTenantChange, sessionCheck } from './session.ts';

/** A variable as it is stored. */
export type Variable = Schemas['Variable'];

/** A stored chart. */
export type Chart = Schemas['Chart'];

/** A stored diagram. */
export type Diagram = Schemas['Diagram'];

/** A stored report. */
export type StoredReport = Schemas['Report'];

/** A stored correction. */
export type StoredCorrection = Schemas['Correction'];

/** The stored panel, without current values. */
export type Panel = Schemas['Panel'];

/** The stored items of one kind, such as all charts. */
export interface Definitions<Rows> {
	/** The items; undefined until they were read. They stay while they are read again. */
	readonly rows: Signal<Rows | undefined>;
	/** Why the last reading failed; null when it succeeded. */
	readonly failure: Signal<Failure | null>;
	/** Reads the items again. */
	load(): Promise<void>;
}

/** How many items a page of a listing has at most. The service allows no more. */
const pageSize = 1000;

/** The variables by id, in ascending order. */
export const variables = definitions<ReadonlyMap<number, Variable>>(async () => {
	const result = await allPages<Variable>((query) => resultOf(api.GET('/getVarsTsdb', { params: { query } })));
	return result.ok ? { ...result, data: new Map(result.data.map((row) => [row.id, row])) } : result;
});

/** The charts in ascending order of ids. */
export const charts = definitions<readonly Chart[]>(async () => rowsOf(await resultOf(api.GET('/getCharts'))));

/** The diagrams in ascending order of ids. They are read in pages, because backgrounds make them large. */
export const diagrams = definitions<readonly Diagram[]>(async () => {
	const result = await allPages<Diagram>((query) => resultOf(api.GET('/getDiagrams', { params: { query } })));
	// Diagrams page in the order of their keys as text: 10 before 9.
	return result.ok ? { ...result, data: result.data.toSorted((a, b) => a.id - b.id) } : result;
});

/** The reports in ascending order of ids. */
export const reports = definitions<readonly StoredReport[]>(async () => rowsOf(await resultOf(api.GET('/getReports'))));

/** The corrections of all variables, in the order of their pages. */
export const corrections = definitions<readonly StoredCorrection[]>(() =>
	allPages<StoredCorrection>((query) => resultOf(api.GET('/getCorrections', { params: { query } }))),
);

/** The stored panel; null before its first save. Its current values are not kept here: screens read them with all other readings. */
export const panel = definitions<Panel | null>(async () => {
	const result = await resultOf(api.GET('/bombs'));
	if (!result.ok) return result.failure.status === 404 ? { ok: true, data: null, etag: null } : result;
	const { title, version, pumps, states } = result.data.data;
	return { ...result, data: { title, version, pumps: pumps.map(storedItem), states: states.map(storedItem) } };
});

/** Returns an item of the panel without its current value. */
function storedItem<Type>({ id, name, varId, type, bit = null }: Omit<Schemas['Pump'], 'type'> & { readonly type: Type }) {
	return { id, name, varId, type, bit };
}

const kinds = { variables, charts, diagrams, reports, corrections, panel };

onTenantChange(() => {
	for (const { rows, failure } of Object.values(kinds)) {
		rows.value = undefined;
		failure.value = null;
	}
});

/** How long the first reading of the variables after a sign-in is enough for the components of that screen, in milliseconds. */
const freshMs = 1000;

/** Whether that first reading still runs, or has just ended. */
let isFirstReadFresh = (): boolean => false;

/**
 * Reads the variables whenever somebody signs in, because every screen needs them. If reading the items of a kind failed, the next poll
 * reads them again. Returns a function that stops both.
 */
export function startDefinitions(): () => void {
	const stopRetries = addPollTask('values', async () => {
		await Promise.all(Object.values(kinds).map((kind) => (kind.failure.value === null ? undefined : kind.load())));
		// The screens show this failure. It does not make values outdated, so the poll does not count as failed.
		return null;
	});
	const stopReading = effect(() => {
		if (!isSignedIn.value) return;
		const isSameSession = sessionCheck();
		let freshUntil = Number.POSITIVE_INFINITY;
		const screen = route.peek();
		isFirstReadFresh = () => route.peek() === screen && currentUptime() < freshUntil && isSameSession();
		void untracked(() => variables.load()).then(() => {
			freshUntil = currentUptime() + freshMs;
		});
	});
	return () => {
		stopRetries();
		stopReading();
	};
}

/** Reads definitions again when the component appears, and when somebody signs in again. */
export function useDefinitions(...names: readonly (keyof typeof kinds)[]): void {
	const key = names.join();
	// The component depends on this signal, so that it reads again after a sign-in: changes may have been missed before.
	const beginning = beginnings.value;
	useEffect(() => {
		for (const name of names) {
			const isFresh = name === 'variables' && isFirstReadFresh();
			if (!isFresh) void kinds[name].load();
		}
	}, [key, beginning]);
}

/** Creates the empty definitions of a kind. `read` requests all of its items. */
function definitions<Rows>(read: () => Promise<Result<Rows>>): Definitions<Rows> {
	const rows = signal<Rows | undefined>(undefined);
	const failure = signal<Failure | null>(null);
	const beginRead = createReadCheck();
	return {
		rows,
		failure,
		load: async () => {
			const isNewest = beginRead();
			const result = await read();
			if (!isNewest()) return;
			batch(() => {
				failure.value = result.ok ? null : result.failure;
				if (result.ok) rows.value = result.data;
			});
		},
	};
}

/** Reads a whole listing page by page. `after` is the id that ended the page before; 0 for the first page. */
async function allPages<Row>(
	readPage: (query: { readonly limit: number; readonly after: number }) => Promise<Result<Page<Row>>>,
): Promise<Result<readonly Row[]>> {
	const rows: Row[] = [];
	for (let after: number | null = 0; after !== null; ) {
		const page: Result<Page<Row>> = await readPage({ limit: pageSize, after });
		if (!page.ok) return page;
		rows.push(...page.data.data);
		after = page.data.next ?? null;
	}
	return { ok: true, data: rows, etag: null };
}

/** A page of a listing. `next` is the id that ends it; null or missing on the last page. */
interface Page<Row> {
	readonly data: readonly Row[];
	readonly next?: number | null | undefined;
}

/** Returns the rows of a listing that has only one page. */
function rowsOf<Row>(result: Result<{ readonly data: readonly Row[] }>): Result<readonly Row[]> {
	return result.ok ? { ...result, data: result.data.data } : result;
}
