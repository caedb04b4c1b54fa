import { computed, type ReadonlySignal } from '@preact/signals';
import { queryPathOf } from '#domain/variable/queries.ts';
import type { ActHeaders } from '#page/core/acts.ts';
import type { FieldError, Result, Schemas } from '#page/core/api.ts';
import { createDraftEditor, type DraftEditor, type Versioned } from '#page/core/draft-editor.ts';
import { type CheckedFormula, checkFormula } from '#page/formula/formula-faults.ts';
import { type Draft, inputNamesOf, problemsOf, repeatedTags, storedDraftOf, variableBodyOf } from './draft.ts';

/** The requests of an editor. */
export interface EditorRequests {
	/** Saves a body. The headers name the act, and the version that must still be stored. */
	readonly save: (body: Schemas['VariableInput'], header: ActHeaders) => Promise<Result<Schemas['Variable']>>;
	/** Reads the stored variable; null when there is none. */
	readonly read: (id: number) => Promise<Result<Schemas['Variable'] | null>>;
}

/** The state of an editor of one variable. */
export interface VariableEditor extends DraftEditor<Draft> {
	readonly formula: ReadonlySignal<CheckedFormula>;
	/** The body that a save would send. */
	readonly body: ReadonlySignal<Schemas['VariableInput']>;
}

/** Creates the state of an editor. */
export function createEditor(stored: Versioned<Draft>, { save, read }: EditorRequests): VariableEditor {
	const editor = createDraftEditor<Draft>(stored, {
		check: (draft) => {
			const problems = problemsOf(variableBodyOf(draft));
			if (draft.kind !== 'formula')
				return new Map([
					...problems,
					...[...repeatedTags(draft.query)].map(([field, error]) => [queryPathOf(draft.name.trim(), field), error] as const),
				]);
			return formulaOf(draft).faults.length > 0 ? new Map([...problems, ['formula', wrongFormula]]) : problems;
		},
		save: async (draft, header) => {
			const result = await save(variableBodyOf(draft), header);
			if (!result.ok) return result;
			const { content, version } = storedDraftOf(result.data);
			// Parts of other kinds stay in the editor until it is left.
			return { ...result, data: { content: { ...draft, ...content, ...otherParts(draft) }, version } };
		},
		read: async ({ id }) => {
			const result = await read(id);
			return result.ok ? { ...result, data: result.data === null ? null : storedDraftOf(result.data) } : result;
		},
	});
	return {
		...editor,
		formula: computed(() => formulaOf(editor.content.value)),
		body: computed(() => variableBodyOf(editor.content.value)),
	};
}

/** The problem that keeps a wrong formula from being saved. The faults themselves are shown at their places in the text. */
const wrongFormula: FieldError = { code: 'wrong_formula', message: '', params: {} };

function formulaOf(draft: Draft): CheckedFormula {
	return checkFormula(draft.formula, inputNamesOf(draft));
}

/** Returns the parts of a draft that a save of its kind leaves out. A formula leaves out the inputs that its text does not name. */
function otherParts({ kind, query, bits, formula, inputs }: Draft): Partial<Draft> {
	if (kind === 'formula') return { query, bits, inputs };
	return kind === 'byte' ? { formula, inputs } : { bits, formula, inputs };
}
