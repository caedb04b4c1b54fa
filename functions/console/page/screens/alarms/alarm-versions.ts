import { alarmSchema } from '#domain/board/alarm.ts';
import { parse } from '#domain/validation/parse.ts';
import type { Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { type AlarmDraft, alarmDraftOf } from './alarm-draft.ts';
import { alarmRequests } from './alarm-requests.ts';
import { alarmVersionFields } from './alarm-version-fields.ts';

/** Compares and saves versions of alarms. */
export const versions = createItemVersions<AlarmDraft>({
	draftOf: ({ content, version }) => {
		const row = { ...content, version };
		return isAlarm(row) ? alarmDraftOf(row) : null;
	},
	fieldsOf: alarmVersionFields,
	requests: alarmRequests,
});

function isAlarm(row: unknown): row is Schemas['Alarm'] {
	return checkInput((input) => parse(alarmSchema, input), row).size === 0;
}
