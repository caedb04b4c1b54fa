import { parseBoard } from '#domain/board/board.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type Binding, bindingProblems } from '#page/core/reference-problems.ts';
import type { ConflictField } from '#page/parts/conflict-dialog.tsx';

type AlarmContent = Omit<Schemas['Alarm'], 'version'>;

/** An alarm while it is edited. `threshold` is null where what is typed is no number. */
export interface AlarmDraft extends Binding {
	/** 0 before the first save. */
	readonly id: number;
	readonly name: string;
	readonly condition: AlarmContent['condition'];
	readonly threshold: number | null;
	readonly severity: AlarmContent['severity'];
	readonly message: string;
}

/** A new alarm. Somebody must choose everything that could be wrong by default. */
export const newAlarmDraft: AlarmDraft = {
	id: 0,
	name: '',
	varId: null,
	bit: null,
	condition: '>',
	threshold: null,
	severity: 'warning',
	message: '',
};

/** Returns the draft of a stored alarm. */
export function alarmDraftOf({ id, name, varId, bit, condition, threshold, severity, message }: AlarmContent): AlarmDraft {
	return { id, name, varId, bit: bit ?? null, condition, threshold, severity, message };
}

/** Returns the alarm as it is sent. `alarmProblems` names what is missing. */
export function alarmBodyOf({ varId, bit, threshold, ...rest }: AlarmDraft): Schemas['AlarmInput'] {
	return { ...rest, varId: varId ?? 0, threshold: threshold ?? 0, ...(typeof bit === 'number' ? { bit } : {}) };
}

/** Checks a draft by the service's own rules and by the variables that are known: what is wrong, by field. */
export function alarmProblems(
	draft: AlarmDraft,
	known: ReadonlyMap<number, Variable> | undefined,
): ReadonlyMap<string, FieldError> {
	const problems = checkInput((input) => parseBoard('alarm', input), alarmBodyOf(draft));
	if (draft.threshold === null) problems.set('threshold', { code: 'no_number', message: 'Write a number.', params: {} });
	for (const [field, problem] of bindingProblems(draft, known)) problems.set(field, problem);
	return problems;
}

/** The words of a comparison, in the language of the person. */
export interface AlarmWords {
	readonly labels: Readonly<Record<'name' | 'binding' | 'condition' | 'severity' | 'message', string>>;
	readonly binding: (draft: AlarmDraft) => string;
	readonly condition: (draft: AlarmDraft) => string;
	readonly severity: (draft: AlarmDraft) => string;
}

/** Compares what somebody else stored with what is typed. `base` is what the typing began from. */
export function alarmDifferences(
	base: AlarmDraft,
	theirs: AlarmDraft,
	mine: AlarmDraft,
	{ labels, binding, condition, severity }: AlarmWords,
): readonly ConflictField[] {
	const texts = {
		name: (draft: AlarmDraft) => draft.name,
		binding,
		condition,
		severity,
		message: (draft: AlarmDraft) => draft.message,
	};
	return differing.flatMap((key): ConflictField[] => {
		const [before, their, my] = [base, theirs, mine].map(texts[key]);
		if (their === undefined || my === undefined || their === my) return [];
		return [{ key, label: labels[key], theirs: their, mine: my, isMine: my !== before }];
	});
}

/** Returns their alarm with those differences of mine that were chosen. */
export function mergedAlarm(theirs: AlarmDraft, mine: AlarmDraft, myKeys: ReadonlySet<string>): AlarmDraft {
	const chosen = (key: (typeof differing)[number]): AlarmDraft => (myKeys.has(key) ? mine : theirs);
	return {
		id: theirs.id,
		name: chosen('name').name,
		varId: chosen('binding').varId,
		bit: chosen('binding').bit,
		condition: chosen('condition').condition,
		threshold: chosen('condition').threshold,
		severity: chosen('severity').severity,
		message: chosen('message').message,
	};
}

/** What is chosen as one: a bit belongs to its variable, and a threshold to its condition. */
const differing = ['name', 'binding', 'condition', 'severity', 'message'] as const;
