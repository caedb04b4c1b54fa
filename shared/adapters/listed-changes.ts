import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import type { SchemaRevision } from '#domain/ports/schema-store.ts';

/** The range of marks: few bytes, because the whole list must stay below the 1 KB that one write unit holds. */
const maxMark = 2 ** 24;

/** The stored list of changes. A commit's entry holds its mark as a negative number, which earlier releases take for the id of no variable. */
export const listedChangesSchema = v.array(v.array(v.number()));

/** Returns the entry of a commit that changed these definitions. */
export function listedChange(changed: readonly number[]): readonly number[] {
	return [-randomInt(1, maxMark), ...changed];
}

/** Returns the changes and the marks that a stored list holds. */
export function changesOf(listed: readonly (readonly number[])[]): Pick<SchemaRevision, 'changes' | 'marks'> {
	return {
		changes: listed.map((entry) => entry.filter((number) => number > 0)),
		marks: listed.map((entry) => -(entry.find((number) => number < 0) ?? 0) || 0),
	};
}
