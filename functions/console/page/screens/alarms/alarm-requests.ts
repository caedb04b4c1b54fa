import { api, resultOf } from '#page/core/api.ts';
import { variables } from '#page/core/definitions.ts';
import type { DraftRequests } from '#page/core/draft-editor.ts';
import { type AlarmDraft, alarmBodyOf, alarmDraftOf, alarmProblems } from './alarm-draft.ts';

/** Checks, saves and reads an alarm. */
export const alarmRequests: DraftRequests<AlarmDraft> = {
	check: (draft) => alarmProblems(draft, variables.rows.value),
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/saveAlarm', { params: { header }, body: alarmBodyOf(draft) }));
		if (!result.ok) return result;
		const { data: saved } = result.data;
		// Only a dry run answers anything else.
		if ('alarm' in saved) throw new Error('The service answered a save like a dry run.');
		return { ...result, data: { content: alarmDraftOf(saved), version: saved.version } };
	},
	read: async ({ id }) => {
		const result = await resultOf(api.GET('/getAlarms'));
		if (!result.ok) return result;
		const stored = result.data.data.find((alarm) => alarm.id === id);
		return { ...result, data: stored === undefined ? null : { content: alarmDraftOf(stored), version: stored.version } };
	},
};
