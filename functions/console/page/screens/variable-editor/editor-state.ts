import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ActHeaders, createActs } from '#page/core/acts.ts';
import type { Failure, FieldError, Result, Schemas } from '#page/core/api.ts';
import { mayPassLater } from '#page/core/may-pass-later.ts';
import { bodyOf, type Draft, draftOf, namesOf } from './draft.ts';
import { problemsOf } from './draft-problems.ts';
import { type CheckedFormula, checkFormula } from './formula-faults.ts';

/** What the editor asks of the service. */
export interface EditorRequests {
	/** Saves a body. The headers name the act, and the version that must still be stored. */
	readonly save: (body: Schemas['VariableInput'], header: ActHeaders) => Promise<Result<Schemas['Variable']>>;
	/** Reads what is stored; null where nothing is. */
	readonly read: (id: number) => Promise<Result<Schemas['Variable'] | null>>;
}

/** What became of a save. */
export type SaveOutcome = 'saved' | 'wrong' | 'conflict' | 'failed';

/** The state of an editor of one variable. */
export interface VariableEditor {
	/** What the typing began from. */
	readonly base: ReadonlySignal<Draft>;
	/** What is typed. */
	readonly draft: ReadonlySignal<Draft>;
	readonly formula: ReadonlySignal<CheckedFormula>;
	/** What would be sent. */
	readonly body: ReadonlySignal<Schemas['VariableInput']>;
	/** What is wrong with it, by the path of the field: by the page's own check, and by the last answer to the same body. */
	readonly problems: ReadonlySignal<ReadonlyMap<string, FieldError>>;
	/** Whether nothing that the page can check is wrong. */
	readonly isRight: ReadonlySignal<boolean>;
	readonly isChanged: ReadonlySignal<boolean>;
	/** Whether a save was tried: fields that are still empty count as wrong from then on. */
	readonly hasTried: ReadonlySignal<boolean>;
	readonly isSaving: ReadonlySignal<boolean>;
	/** Why the last save failed. */
	readonly failure: ReadonlySignal<Failure | null>;
	/** What somebody else stored, while it is compared with what is typed. */
	readonly theirs: ReadonlySignal<Draft | null>;
	change(part: Partial<Draft>): void;
	discard(): void;
	/** Saves what is typed, on condition that nobody else saved meanwhile. Never overwrites what was not seen. */
	save(): Promise<SaveOutcome>;
	/** Compares what is typed with what is stored now. */
	compare(): Promise<void>;
	/** Goes on with a draft that was chosen from both, beginning from theirs. Stores nothing. */
	goOnWith(chosen: Draft): void;
	closeComparison(): void;
	/** Takes what is typed as a new variable: the stored one was deleted. */
	becomeNew(): void;
}

/** Creates the state of an editor. */
export function createEditor(stored: Draft, { save, read }: EditorRequests): VariableEditor {
	const base = signal(stored);
	const draft = signal(stored);
	const hasTried = signal(false);
	const isSaving = signal(false);
	const failure = signal<Failure | null>(null);
	const theirs = signal<Draft | null>(null);
	/** The last save that was refused for its fields. */
	const refusal: Signal<{ readonly text: string; readonly errors: Failure['errors'] } | null> = signal(null);
	const acts = createActs();

	const formula = computed(() => checkFormula(draft.value.formula, namesOf(draft.value)));
	const body = computed(() => bodyOf(draft.value));
	const text = computed(() => JSON.stringify([body.value, draft.value.version]));
	const own = computed(() => problemsOf(body.value));
	const problems = computed(() => {
		const refused = refusal.value?.text === text.value ? Object.entries(refusal.value.errors) : [];
		return new Map([...refused, ...own.value]);
	});
	const isRight = computed(() => own.value.size === 0 && (draft.value.kind !== 'formula' || formula.value.faults.length === 0));

	async function compare(): Promise<void> {
		const result = await read(base.value.id);
		if (result.ok && result.data !== null) theirs.value = draftOf(result.data);
		else failure.value = result.ok ? gone : result.failure;
	}

	async function trySave(): Promise<SaveOutcome> {
		const sent = text.value;
		const { id, version } = draft.value;
		const result = await acts.send(body.value, id === 0 ? null : version, (header) => save(body.value, header));
		if (result.ok) {
			const saved = draftOf(result.data);
			batch(() => {
				// Parts of other kinds stay in the editor until it is left. What was typed meanwhile stays, on top of the saved version.
				base.value = { ...draft.value, ...saved, ...otherParts(draft.value) };
				draft.value = text.value === sent ? base.value : { ...draft.value, id: saved.id, version: saved.version };
				hasTried.value = false;
				failure.value = null;
			});
			return 'saved';
		}
		if (result.failure.status === 412) {
			failure.value = null;
			await compare();
			return 'conflict';
		}
		failure.value = result.failure;
		refusal.value = mayPassLater(result.failure) ? null : { text: sent, errors: result.failure.errors };
		return 'failed';
	}

	return {
		base,
		draft,
		formula,
		body,
		problems,
		isRight,
		hasTried,
		isSaving,
		failure,
		theirs,
		compare,
		isChanged: computed(() => JSON.stringify(draft.value) !== JSON.stringify(base.value)),
		change: (part) => {
			draft.value = { ...draft.value, ...part };
		},
		discard: () => {
			batch(() => {
				draft.value = base.value;
				hasTried.value = false;
				failure.value = null;
			});
		},
		save: async () => {
			hasTried.value = true;
			if (!isRight.value) return 'wrong';
			if (isSaving.value) return 'failed';
			isSaving.value = true;
			try {
				return await trySave();
			} finally {
				isSaving.value = false;
			}
		},
		goOnWith: (chosen) => {
			batch(() => {
				base.value = theirs.value ?? base.value;
				draft.value = chosen;
				theirs.value = null;
				failure.value = null;
			});
		},
		closeComparison: () => {
			theirs.value = null;
		},
		becomeNew: () => {
			batch(() => {
				draft.value = { ...draft.value, id: 0, version: 0 };
				failure.value = null;
			});
		},
	};
}

/** The failure of a comparison with what was deleted meanwhile. */
const gone: Failure = { kind: 'refused', status: 404, errors: {}, retryAfterMs: null };

/** The parts of a draft that its kind does not save. */
function otherParts({ kind, query, bits, formula, inputs }: Draft): Partial<Draft> {
	if (kind === 'formula') return { query, bits, inputs };
	return kind === 'byte' ? { formula, inputs } : { bits, formula, inputs };
}
